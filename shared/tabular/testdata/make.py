"""Writes openpyxl.xlsx with openpyxl 3.1.5: `pip install openpyxl==3.1.5; python make.py`.
The other workbooks of the tests are written by the tests themselves."""
import datetime
import pathlib
from openpyxl import Workbook

book = Workbook()
cover = book.active
cover.title = "Cover"
cover["A1"] = "A survey about breakfast"
data = book.create_sheet("Données 数据")
data.append(["id", "Ville", "started", "day", "wakes", "share", "eats", "formula", "weight"])
for r in range(1, 61):
    data.append([
        r, ["København", "Łódź", "東京", "🍳 Home", " two\nlines "][r % 5],
        datetime.datetime(2024, 2, 28, 23, 59, 30) + datetime.timedelta(seconds=r),
        datetime.date(2024, 2, 28) + datetime.timedelta(days=r), datetime.time(6, r % 60), r / 40, r % 2 == 0, "=A2*2", 0.1 + 0.2 * r,
    ])
    data.cell(r + 1, 6).number_format = "0%"
hidden = book.create_sheet("lists")
hidden.sheet_state = "hidden"
hidden["A1"] = "a"
book.save(pathlib.Path(__file__).parent / "openpyxl.xlsx")
