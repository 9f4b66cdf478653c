"""ParaPairAudioBench's printed tables, and what whole numbers of right answers stand behind them.

`tables` has what is printed, `counts` the numbers that give it, `verdicts` what is above chance, `effect` what the tables say of
transcripts where ties are left out.
"""
