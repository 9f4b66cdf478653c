"""The oracle check: may both turns of a dialogue be answered by somebody who reads how each line is to be said?"""

from earmark.builders.dialogues.oracle.checking import Verdict, check_dialogues, planned_calls
from earmark.builders.dialogues.oracle.model_reader import ModelReader
from earmark.builders.dialogues.oracle.questions import Arm, Question, Reader, Reply
from earmark.builders.dialogues.oracle.report import OracleFigure, OracleReport, oracle_report
from earmark.builders.dialogues.oracle.rule_reader import RuleReader
from earmark.builders.dialogues.oracle.section import OracleSection

__all__ = [
    "Arm",
    "ModelReader",
    "OracleFigure",
    "OracleReport",
    "OracleSection",
    "Question",
    "Reader",
    "Reply",
    "RuleReader",
    "Verdict",
    "check_dialogues",
    "oracle_report",
    "planned_calls",
]
