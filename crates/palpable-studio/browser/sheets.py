"""Contact sheets of the pictures that photos.js took: python sheets.py FOLDER OUT.png 30s-light-1440 [columns]"""
import glob
import os
import sys

from PIL import Image, ImageDraw

WIDTH = int(os.environ.get("WIDTH", "400"))
folder, out, ending = sys.argv[1:4]
columns = int(sys.argv[4]) if len(sys.argv) > 4 else 5
pictures = []
for path in sorted(glob.glob(os.path.join(folder, f"*-{ending}.png"))):
    picture = Image.open(path).convert("RGB")
    picture = picture.resize((WIDTH, picture.height * WIDTH // picture.width))
    ImageDraw.Draw(picture).text((4, 4), os.path.basename(path)[:-4], fill=(200, 0, 0))
    pictures.append(picture)
if not pictures:
    sys.exit("no such pictures")
height = max(p.height for p in pictures)
sheet = Image.new("RGB", (columns * WIDTH, -(-len(pictures) // columns) * height), "white")
for place, picture in enumerate(pictures):
    sheet.paste(picture, (place % columns * WIDTH, place // columns * height))
sheet.save(out)
print(len(pictures), "pictures")
