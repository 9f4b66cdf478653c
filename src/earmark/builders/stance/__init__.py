"""How a stance release is made: roles become poles, conversations become items, poles become questions."""
