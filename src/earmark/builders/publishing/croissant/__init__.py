"""croissant.json: what a published copy holds and how it came to be, in Croissant 1.1 with the fields of Croissant RAI 1.0."""

from earmark.builders.publishing.croissant.document import croissant
from earmark.builders.publishing.croissant.files import DataFile

__all__ = ["DataFile", "croissant"]
