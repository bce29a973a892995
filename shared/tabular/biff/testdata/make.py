"""Writes the workbooks of this folder with xlwt 1.3.0, and what xlrd 2.0.2 reads
of them, as JSON beside each: `pip install xlwt==1.3.0 xlrd==2.0.2; python make.py`.
Cells are written as the reader of this package gives them."""
import datetime
import json
import pathlib
import xlrd
import xlwt

HERE = pathlib.Path(__file__).parent


def number(f):
    if f == int(f) and abs(f) < 1e15:
        return str(int(f))
    return repr(float("%.15g" % f))


def text(book, c):
    if c.ctype == xlrd.XL_CELL_NUMBER:
        return number(c.value)
    if c.ctype == xlrd.XL_CELL_DATE:
        y, mo, d, h, mi, s = xlrd.xldate_as_tuple(c.value, book.datemode)
        clock = "%02d:%02d:%02d" % (h, mi, s)
        if y == 0:
            return clock
        date = "%04d-%02d-%02d" % (y, mo, d)
        return date if clock == "00:00:00" else date + " " + clock
    if c.ctype == xlrd.XL_CELL_BOOLEAN:
        return "TRUE" if c.value else "FALSE"
    if c.ctype == xlrd.XL_CELL_TEXT:
        return c.value
    return ""


def keep(book, name):
    book.save(str(HERE / name))
    read = xlrd.open_workbook(str(HERE / name), formatting_info=True)
    out = []
    for s in read.sheets():
        rows = [[text(read, c) for c in s.row(i)] for i in range(s.nrows)]
        for r in rows:
            while r and r[-1] == "":
                r.pop()
        out.append({"name": s.name, "hidden": s.visibility != 0, "rows": [r for r in rows if r]})
    (HERE / (name + ".json")).write_text(json.dumps(out, ensure_ascii=False, indent=0) + "\n", encoding="utf-8")


def survey(dates_1904):
    book = xlwt.Workbook()
    book.dates_1904 = dates_1904
    notes = book.add_sheet("Read me")
    notes.write(0, 0, "A survey about breakfast")
    data = book.add_sheet("Données 数据")
    day = xlwt.easyxf(num_format_str="dd.mm.yyyy")
    moment = xlwt.easyxf(num_format_str="yyyy-mm-dd hh:mm:ss")
    clock = xlwt.easyxf(num_format_str="h:mm")
    money = xlwt.easyxf(num_format_str='#,##0.00 "€"')
    percent = xlwt.easyxf(num_format_str="0%")
    for i, name in enumerate(["id", "Geschlecht", "Ville", "started", "finished", "wakes", "spent", "share", "eats", "weight", "much", "none"]):
        data.write(0, i, name)
    for r in range(1, 41):
        data.write(r, 0, r)
        data.write(r, 1, ["weiblich", "männlich", "divers"][r % 3])
        data.write(r, 2, ["København", "Łódź", "東京", "Αθήνα", "🍳 Home"][r % 5])
        data.write(r, 3, datetime.date(2024, 2, 28) + datetime.timedelta(days=r), day)
        data.write(r, 4, datetime.datetime(2024, 2, 28, 23, 59, 30) + datetime.timedelta(seconds=r), moment)
        data.write(r, 5, datetime.time(6, r), clock)
        data.write(r, 6, 1.005 * r, money)
        data.write(r, 7, r / 40, percent)
        data.write(r, 8, r % 2 == 0)
        data.write(r, 9, 0.1 + 0.2 * r)
        data.write(r, 10, 1e9 * r)
        if r % 7:
            data.write(r, 11, -r)
    hidden = book.add_sheet("lists")
    hidden.visibility = 1
    hidden.write(0, 0, "a")
    keep(book, "epoch1904.xls" if dates_1904 else "survey.xls")


def texts():
    """Texts whose table goes over many records, borders in every place."""
    book = xlwt.Workbook()
    s = book.add_sheet("texts")
    s.write(0, 0, "n")
    s.write(0, 1, "text")
    for r in range(1, 240):
        s.write(r, 0, r)
        kind = r % 4
        body = ["plain ", "weit ü€ ", "漢字と仮名 ", "mixed Ω and 🍳 "][kind]
        s.write(r, 1, (body * (r * 7 % 97 + 1))[: r * 13 % 900 + 1] + "#%d" % r)
    s.write(240, 1, "l" * 32767)
    s.write(241, 1, "ü漢" * 8000)
    keep(book, "texts.xls")


survey(False)
survey(True)
texts()
