#!/usr/bin/env python3
"""Writes the sample files of this folder anew. All text is made up for the tests.

Needs: pip install reportlab weasyprint python-docx python-pptx pikepdf msoffcrypto-tool
and LibreOffice (soffice) for report.doc, report.rtf and report.pdf.
"""
import io
import subprocess

import msoffcrypto.format.ooxml
import pikepdf
import weasyprint
from docx import Document
from pptx import Presentation
from pptx.util import Inches
from reportlab.lib.styles import getSampleStyleSheet
from reportlab.pdfgen import canvas
from reportlab.platypus import Paragraph, SimpleDocTemplate

AUTHOR = "Mindgate test suite"


def report():
    d = Document()
    d.core_properties.title, d.core_properties.author = "Household energy report", AUTHOR
    d.add_heading("Household energy report", 0)
    d.add_heading("Zufriedenheit in Österreich", 1)
    d.add_paragraph("Die Größe der Wohnung bestimmt die Zufriedenheit – „außerordentlich“ stark, sagten 41 % der Befragten.")
    d.add_paragraph("Η ενέργεια είναι ακριβή. Энергия стоит дорого. 电费太贵了。الطاقة باهظة الثمن.")
    d.add_heading("Prices", 2)
    p = d.add_paragraph("The difference between ")
    p.add_run("efficient").bold = True
    p.add_run(" and inefficient offices was 12 euros.")
    d.add_paragraph("First point", style="List Bullet")
    d.add_paragraph("Second point", style="List Bullet")
    rows = [("Country", "2023", "2024"), ("Austria", "", "44 %"), ("Germany", "38 %", "39 %")]
    t = d.add_table(rows=3, cols=3)
    for i, row in enumerate(rows):
        for j, cell in enumerate(row):
            t.cell(i, j).text = cell
    d.add_heading("Outlook", 1)
    d.add_paragraph("Prices will fall 😀 by next year.")
    d.save("report.docx")
    for kind in ("doc:MS Word 97", "rtf", "pdf"):
        subprocess.run(["soffice", "--headless", "--convert-to", kind, "report.docx"], check=True, capture_output=True)
    with open("report.docx", "rb") as plain, open("password.docx", "wb") as locked:
        msoffcrypto.format.ooxml.OOXMLFile(plain).encrypt("secret", locked)


def slides():
    p = Presentation()
    p.core_properties.title, p.core_properties.author = "Energy at home", AUTHOR
    s = p.slides.add_slide(p.slide_layouts[0])
    s.shapes.title.text, s.placeholders[1].text = "Energy at home", "What 2,000 people told us"
    s = p.slides.add_slide(p.slide_layouts[1])
    s.shapes.title.text = "Главные выводы"
    s.placeholders[1].text_frame.text = "Comfort matters most"
    s.placeholders[1].text_frame.add_paragraph().text = "Preis ist zweitrangig – 電気代は高い"
    s.notes_slide.notes_text_frame.text = "Say that the base is 412 households."
    s = p.slides.add_slide(p.slide_layouts[5])
    s.shapes.title.text = "By country"
    t = s.shapes.add_table(2, 2, Inches(1), Inches(2), Inches(4), Inches(1)).table
    for i, row in enumerate([("Country", "Share"), ("Austria", "44 %")]):
        for j, cell in enumerate(row):
            t.cell(i, j).text = cell
    p.save("slides.pptx")


TEXT = (
    "Households that renovated their flats reported noticeably lower consumption throughout the winter, although the "
    "difference between insulated and uninsulated buildings was smaller than officials had expected beforehand. "
)


def columns():
    style = """@page{size:A4;margin:2cm;@top-center{content:'Household Energy Review'}@bottom-center{content:'Page ' counter(page) ' of ' counter(pages)}}
    body{font-family:'DejaVu Serif';font-size:10pt;hyphens:auto;text-align:justify} div{columns:2;column-gap:1cm}"""
    parts = "".join(f"<h2>Section {i}</h2><p>{TEXT * 2}</p><p>Finding {i}: {TEXT}</p>" for i in range(1, 19))
    table = "<h2>Länder</h2><table><tr><th>Land</th><th>2023</th></tr><tr><td>Österreich</td><td>41 %</td></tr></table><p>Энергия в доме стоит дорого.</p><p>האנרגיה בבית יקרה</p>"
    weasyprint.HTML(string=f"<html lang=en><title>Energy review</title><style>{style}</style><h1>Energy use in flats</h1><div>{parts}{table}</div>").write_pdf("columns.pdf")


def locked():
    plain = io.BytesIO()
    SimpleDocTemplate(plain, title="Tariffs", author=AUTHOR).build([Paragraph("The tariff rose by 7 percent in café districts.", getSampleStyleSheet()["BodyText"])])
    for name, user in (("password.pdf", "secret"), ("readonly.pdf", "")):
        plain.seek(0)
        with pikepdf.open(plain) as pdf:
            pdf.save(name, encryption=pikepdf.Encryption(user=user, owner="owner", R=6, allow=pikepdf.Permissions(extract=False)))


def scan():
    c = canvas.Canvas("scan.pdf")
    c.rect(100, 100, 300, 500, fill=1)
    c.showPage()
    c.save()


if __name__ == "__main__":
    report()
    slides()
    columns()
    locked()
    scan()
