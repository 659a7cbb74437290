#!/bin/sh
# The site of the documents: every link and anchor leads somewhere, nothing is fetched from elsewhere, tags are closed, and
# the search has what the pages have. Made with two examples and without pictures.
#
# usage: scripts/check_site.sh TOOL          77: there is no cmark-gfm
set -eu
root=$(cd "$(dirname "$0")/.." && pwd -P)
if ! command -v cmark-gfm >/dev/null 2>&1; then
  echo 'check_site: cmark-gfm is not here: skipped'
  exit 77
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
/usr/bin/python3 "$root/scripts/site.py" "$1" "$work/site" --examples pendulum,two_balls
test -s "$work/site/runs/pendulum/play.html" || test -s "$work/site/runs/pendulum/report.html"
/usr/bin/python3 - "$work/site" <<'END'
import html.parser, json, os, sys, urllib.parse

site = sys.argv[1]
wrong = []
EMPTY = {"meta", "link", "img", "input", "br", "hr"}


class Page(html.parser.HTMLParser):
    def __init__(self, name):
        super().__init__()
        self.name, self.open, self.ids, self.links = name, [], set(), []

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        if tag not in EMPTY:
            self.open.append(tag)
        if "id" in given:
            if given["id"] in self.ids:
                wrong.append(f"{self.name}: two things have the id {given['id']}")
            self.ids.add(given["id"])
        for key in ("href", "src"):
            if key in given:
                self.links.append((tag, given[key]))

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            wrong.append(f"{self.name}:{self.getpos()[0]}: </{tag}> closes something else")


pages = {}
for name in sorted(os.listdir(site)):
    if name.endswith(".html"):
        page = pages[name] = Page(name)
        with open(os.path.join(site, name), encoding="utf-8") as file:
            text = file.read()
        if "{{" in text.split("<main>")[0]:
            wrong.append(f"{name}: a place of the frame is empty")
        page.feed(text)
        if page.open:
            wrong.append(f"{name}: <{page.open[-1]}> is not closed")
for name, page in pages.items():
    for tag, link in page.links:
        parts = urllib.parse.urlsplit(link)
        if parts.scheme:
            if tag != "a":
                wrong.append(f"{name}: {link} would be fetched")
            continue
        target = parts.path or name
        if not os.path.exists(os.path.join(site, urllib.parse.unquote(target))):
            wrong.append(f"{name}: {link} leads nowhere")
        elif parts.fragment and target in pages and parts.fragment not in pages[target].ids:
            wrong.append(f"{name}: {link} has no such anchor")
with open(os.path.join(site, "search.js"), encoding="utf-8") as file:
    index = json.loads(file.read().removeprefix("const searchIndex = ").removesuffix(";\n"))
for page, anchor, title, heading, text in index:
    if page not in pages or anchor and anchor not in pages[page].ids:
        wrong.append(f"search: {page}#{anchor} is not there")
for word in ("halfSpace", "--allow-path", "Levenberg"):
    if not any(word in row[4] for row in index):
        wrong.append(f"search: nothing has {word}")
print("\n".join(wrong) or f"{len(pages)} pages, {sum(len(page.links) for page in pages.values())} links, {len(index)} sections")
sys.exit(bool(wrong))
END
