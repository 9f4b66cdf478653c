"""The child process that speaks one script with eSpeak NG; run by path, so that only the voice has to load.

eSpeak NG keeps state from one utterance to the next, so only the same calls in a fresh process give the same samples; and it
seeds its breath noise with the clock, so it is given a seed. The script comes as JSON on standard input; back go one line of
JSON (rate, engine, and per utterance the number of samples and the words) and then all samples, int16 in the machine's byte
order. Exit 2 and a line on standard error: the script cannot be spoken.
"""

from __future__ import annotations

import ctypes
import json
import os
import sys
from pathlib import Path
from typing import NoReturn

_SYNCHRONOUS = 2  # AUDIO_OUTPUT_SYNCHRONOUS: samples go to the callback, no sound card is touched
_DONT_EXIT = 0x8000  # espeakINITIALIZE_DONT_EXIT: report a missing data folder instead of ending the process
_UTF8 = 1  # espeakCHARS_UTF8
_SEED = 1  # of the noise in aspirated sounds; eSpeak NG takes the time of day without
_LIST_END, _WORD = 0, 1  # espeakEVENT_LIST_TERMINATED, espeakEVENT_WORD
_PARAMETERS = {"rate": 1, "volume": 2, "pitch": 3, "range": 4, "word_gap": 7}


class _Event(ctypes.Structure):
    _fields_ = (
        ("type", ctypes.c_int),
        ("unique_identifier", ctypes.c_uint),
        ("text_position", ctypes.c_int),
        ("length", ctypes.c_int),
        ("audio_position", ctypes.c_int),
        ("sample", ctypes.c_int),
        ("user_data", ctypes.c_void_p),
        ("id", ctypes.c_char_p),
    )


_CALLBACK = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(ctypes.c_short), ctypes.c_int, ctypes.POINTER(_Event))


def _fail(reason: str) -> NoReturn:
    sys.stderr.write(reason + "\n")
    sys.exit(2)


def main() -> None:
    """Speak the script on standard input."""
    import espeakng_loader

    script = json.load(sys.stdin)
    library = ctypes.CDLL(espeakng_loader.get_library_path())
    data = Path(espeakng_loader.get_data_path())
    # The engine cuts the name of its data folder at 160 bytes; a relative one is always short enough.
    os.chdir(data.parent)
    rate = library.espeak_Initialize(_SYNCHRONOUS, 0, b".", _DONT_EXIT)
    if rate <= 0:
        _fail(f"eSpeak NG finds no data in {data}")
    library.espeak_Info.restype = ctypes.c_char_p
    library.espeak_ng_SetRandSeed(ctypes.c_long(_SEED))

    samples = bytearray()
    words: list[tuple[int, int, int]] = []

    def take(wave: ctypes._Pointer[ctypes.c_short], count: int, events: ctypes._Pointer[_Event]) -> int:
        n = 0
        while events[n].type != _LIST_END:
            if events[n].type == _WORD:
                words.append((events[n].text_position - 1, events[n].length, events[n].sample))
            n += 1
        if count > 0:  # the last call brings no samples and a null pointer
            samples.extend(ctypes.string_at(wave, 2 * count))
        return 0

    callback = _CALLBACK(take)  # must outlive the calls below
    library.espeak_SetSynthCallback(callback)
    spoken = []
    for utterance in script:
        begun = len(samples)
        words.clear()
        voice = str(utterance["voice"])
        _, plus, variant = voice.partition("+")
        # An unknown variant would be passed over without a word.
        if plus and not (data / "voices" / "!v" / variant).is_file():
            _fail(f"eSpeak NG has no voice variant {variant!r}")
        if library.espeak_SetVoiceByName(voice.encode()) != 0:
            _fail(f"eSpeak NG has no voice {voice!r}")
        for name, number in _PARAMETERS.items():
            library.espeak_SetParameter(number, int(utterance[name]), 0)
        text = str(utterance["text"]).encode()
        if library.espeak_Synth(text, len(text) + 1, 0, 1, 0, _UTF8, None, None) != 0:
            _fail(f"eSpeak NG refuses the text {utterance['text']!r}")
        spoken.append({"samples": (len(samples) - begun) // 2, "words": list(words)})
    heading = {"rate": rate, "engine": f"eSpeak NG {library.espeak_Info(None).decode()}", "spoken": spoken}
    sys.stdout.buffer.write(json.dumps(heading).encode() + b"\n" + bytes(samples))


if __name__ == "__main__":
    main()
