"""The tables of how often intervals cover, for `README.md`: `python -m benchmarks.coverage`, about four minutes of one core."""

from __future__ import annotations

import sys

from tests.statistics.coverage import SIZES, TRUTH, Setting, coverage

STUDIES = {4: 1000, 6: 1000, 10: 1000, 20: 1000, 50: 500, 100: 400, 500: 150}
"""How many studies are simulated, by the number of clusters."""

REPLICATES = 399


def main() -> None:
    """Print the tables."""
    columns = [(sizes, icc) for sizes in SIZES for icc in (0.0, 0.3)]
    lines: dict[str, list[str]] = {name: [] for name in TRUTH}
    none = 0.0
    for clusters, studies in STUDIES.items():
        cells: dict[str, list[str]] = {name: [] for name in TRUTH}
        for sizes, icc in columns:
            found = coverage(Setting(clusters, sizes, icc), studies=studies, replicates=REPLICATES, seed=clusters)
            for name in TRUTH:
                plain, moved = found[name, "percentile"], found[name, "bca"]
                none = max(none, plain.none, moved.none)
                cells[name] += [f"{plain.share:.3f} / {moved.share:.3f}", f"{plain.width:.3f} / {moved.width:.3f}"]
        for name in TRUTH:
            lines[name].append(f"| {clusters} | {studies} | {' | '.join(cells[name])} |")
            print(name, lines[name][-1], file=sys.stderr, flush=True)
    for name, rows in lines.items():
        heads = [f"{sizes}, ICC {icc:g} | width" for sizes, icc in columns]
        print(f"\n{name}, truth {TRUTH[name]:.3f}\n\n| clusters | studies | {' | '.join(heads)} |\n{'|---' * 10}|")
        print("\n".join(rows))
    print(f"\nmost without an interval: {none:.3f}")


if __name__ == "__main__":
    main()
