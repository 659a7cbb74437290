#!/usr/bin/python3
"""Makes the documents a site of static pages: `make site` calls it.

usage: scripts/site.py TOOL TARGET [--examples NAME,NAME...] [--no-runs]

Pages come from README.md, docs/ and examples/ by cmark-gfm; every example has a page with its source, a picture where
there is a browser to draw one, and its run: as a page that simulates where the tool has `carom play`, else as a report.
Nothing on the pages is fetched from anywhere: links between pages, pictures, one style sheet and one script lie beside
them, and all works from file://. --examples makes the pages of these alone, --no-runs makes no runs and pictures.
"""
import argparse
import hashlib
import html
import json
import os
import re
import shutil
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
HERE = os.path.join(ROOT, "scripts", "site")

# The menu: groups of pages by the names of their documents.
MENU = (
    ("Begin", ("README.md", "docs/modelling.md", "docs/editing.md", "examples/README.md", "docs/install.md")),
    ("Use", ("docs/report.md", "docs/results.md", "docs/python.md", "docs/library.md", "docs/robots.md", "docs/couplings.md",
             "docs/sweeps.md", "docs/fmu.md")),
    ("Look up", ("docs/reference.md", "docs/notation.md", "docs/references.md", "CHANGELOG.md")),
    ("Understand", ("docs/contact.md", "docs/shapes.md", "docs/collision.md", "docs/islands.md", "docs/loops.md", "docs/numerics.md",
                    "docs/numerics_tables.md", "docs/report_format.md", "docs/reliability.md", "docs/architecture.md")),
    ("Take part", ("CONTRIBUTING.md", "SECURITY.md")),
)
LABELS = {"README.md": "Carom", "examples/README.md": "Examples"}

KEYWORDS = set("and break do else elseif end false for function goto if in local nil not or repeat return then true until "
               "while".split())
TOKEN = re.compile(r"""(?P<comment>--\[\[.*?\]\]|--[^\n]*)|(?P<string>"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|\[\[.*?\]\])"""
                   r"""|(?P<number>\b(?:0[xX][0-9a-fA-F.]+|\d+\.?\d*(?:[eE][+-]?\d+)?)\b)|(?P<name>[A-Za-z_]\w*)""", re.S)


def fail(message):
    sys.exit(f"site: {message}")


def read(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return file.read()


def page_of(document):
    """The page that a document becomes."""
    if document == "README.md":
        return "index.html"
    if document == "examples/README.md":
        return "examples.html"
    return os.path.splitext(os.path.basename(document))[0].lower() + ".html"


def find_documents():
    listed = [document for _, group in MENU for document in group]
    found = sorted("docs/" + name for name in os.listdir(os.path.join(ROOT, "docs")) if name.endswith(".md"))
    return [document for document in listed if os.path.exists(os.path.join(ROOT, document))], \
        [document for document in found if document not in listed]


def slug(text, taken):
    """The anchor of a heading, as sites of repositories make it."""
    base = re.sub(r"[^\w\- ]", "", html.unescape(re.sub(r"<[^>]*>", "", text)).strip().lower()).replace(" ", "-")
    name, number = base, 0
    while name in taken:
        number += 1
        name = f"{base}-{number}"
    taken.add(name)
    return name


def color_lua(source):
    """Lua with its words marked."""
    def mark(match):
        kind, text = match.lastgroup, html.escape(match.group(), quote=False)
        if kind == "name":
            return f"<b>{text}</b>" if match.group() in KEYWORDS else text
        return f'<span class="{kind}">{text}</span>'
    parts, end = [], 0
    for match in TOKEN.finditer(source):
        parts += [html.escape(source[end:match.start()], quote=False), mark(match)]
        end = match.end()
    return "".join(parts) + html.escape(source[end:], quote=False)


def describe(lines):
    """The head of an example: paragraphs, and what is indented as it is."""
    blocks = []
    for line in lines:
        kind = "" if not line.strip() else "pre" if line.startswith(("   ", " Try:")) else "p"
        if not blocks or blocks[-1][0] != kind:
            blocks.append((kind, []))
        blocks[-1][1].append(html.escape(line.strip(), quote=False))
    return [f"<p>{' '.join(text)}</p>" if kind == "p" else "<pre>" + "\n".join(text) + "</pre>" for kind, text in blocks if kind]


class Site:
    def __init__(self, tool, target, examples, has_runs):
        self.tool, self.target, self.has_runs = tool, target, has_runs
        self.documents, self.rest = find_documents()
        self.examples = sorted(name[:-4] for name in os.listdir(os.path.join(ROOT, "examples")) if name.endswith(".lua"))
        self.chosen = examples or self.examples
        for name in self.chosen:
            if name not in self.examples:
                fail(f"there is no example {name}")
        self.index = []  # of search: page, anchor, title, text
        self.can_play = has_runs and self.call("help", "play").returncode == 0
        self.has_browser = shutil.which("chromium") is not None

    def call(self, *arguments):
        return subprocess.run([self.tool, *arguments], cwd=ROOT, capture_output=True, text=True)

    # ---------------------------------------------------------------------------------------- links

    def move_link(self, document, link):
        """Where a link of a document leads to on the site; other files of the tree come along."""
        if re.match(r"[a-z]+:|#", link):
            return link
        path, _, anchor = link.partition("#")
        path = os.path.normpath(os.path.join(os.path.dirname(document), path))
        anchor = "#" + anchor if anchor else ""
        if path in self.documents or path in self.rest:
            return page_of(path) + anchor
        played = re.fullmatch(r"build/site/(runs/(\w+)/play\.html)", path)
        if played:  # documents in the tree lead to the pages of this site
            return played.group(1) if self.can_play and played.group(2) in self.chosen else None
        if path == "examples":
            return "examples.html"
        name, ending = os.path.splitext(os.path.basename(path))
        if os.path.dirname(path) == "examples" and ending == ".lua" and name in self.chosen:
            return f"example_{name}.html"
        if os.path.isfile(os.path.join(ROOT, path)):
            copy = os.path.join("files", path)
            os.makedirs(os.path.join(self.target, os.path.dirname(copy)), exist_ok=True)
            shutil.copyfile(os.path.join(ROOT, path), os.path.join(self.target, copy))
            return copy
        return None

    def move_links(self, document, body):
        def replace(match):
            moved = self.move_link(document, html.unescape(match.group(2)))
            if moved is None:  # a folder: its name stays
                return f'{match.group(1)}data-path="{match.group(2)}"'
            return f'{match.group(1)}{match.group(3)}="{html.escape(moved)}"'
        return re.sub(r'(<(?:a|img) (?:[^>]*? )?)(?=(?:href|src)="([^"]*)")(href|src)="[^"]*"', replace, body)

    # ---------------------------------------------------------------------------------------- pages

    def convert(self, document):
        """A document as (title, body, headings), its sections noted for the search."""
        answer = subprocess.run(["cmark-gfm", "-e", "table", "-e", "autolink", "--to", "html"], input=read(document),
                                capture_output=True, text=True)
        if answer.returncode != 0:
            fail(f"cmark-gfm: {answer.stderr}")
        taken, headings = set(), []

        def anchor(match):
            level, text = match.group(1), match.group(2)
            name = slug(text, taken)
            headings.append((int(level), name, text))
            return f'<h{level} id="{name}">{text}</h{level}>'
        body = re.sub(r"<h([1-6])>(.*?)</h\1>", anchor, answer.stdout, flags=re.S)
        body = re.sub(r'<pre><code class="language-lua">(.*?)</code></pre>',
                      lambda match: f"<pre><code>{color_lua(html.unescape(match.group(1)))}</code></pre>", body, flags=re.S)
        body = body.replace("<table>", '<div class="wide"><table>').replace("</table>", "</table></div>")
        title = re.sub(r"<[^>]*>", "", headings[0][2]) if headings else document
        return title, self.move_links(document, body), headings

    def note(self, page, title, body):
        """The sections of a page, for the search."""
        parts = re.split(r'<h[1-6] id="([^"]*)">(.*?)</h[1-6]>', body, flags=re.S)
        for anchor, heading, text in zip(parts[1::3], parts[2::3], parts[3::3]):
            words = " ".join(html.unescape(re.sub(r"<[^>]*>", " ", text)).split())
            self.index.append([page, anchor, title, " ".join(html.unescape(re.sub(r"<[^>]*>", "", heading)).split()), words])

    def menu(self, current):
        lines = []
        for group, documents in MENU + ((("More", tuple(self.rest)),) if self.rest else ()):
            lines.append(f"<h2>{group}</h2><ul>")
            for document in documents:
                if document in self.documents or document in self.rest:
                    page = page_of(document)
                    label = LABELS.get(document) or self.titles[document]
                    mark = ' aria-current="page"' if page == current else ""
                    lines.append(f'<li><a href="{page}"{mark}>{label}</a></li>')
            lines.append("</ul>")
        return "\n".join(lines)

    def write(self, page, title, body, headings=()):
        inner = [(name, text) for level, name, text in headings if level == 2]
        contents = ""
        if len(inner) > 2:
            rows = "".join(f'<li><a href="#{name}">{text}</a></li>' for name, text in inner)
            contents = f'<nav class="contents" aria-label="On this page"><h2>On this page</h2><ul>{rows}</ul></nav>'
        frame = self.frame
        for key, value in (("title", html.escape(title, quote=False)), ("menu", self.menu(page)), ("contents", contents), ("body", body)):
            frame = frame.replace("{{" + key + "}}", value)
        with open(os.path.join(self.target, page), "w", encoding="utf-8") as file:
            file.write(frame)

    # ------------------------------------------------------------------------------------- examples

    def run_example(self, name):
        """Runs an example, unless it was run with the same source and tool; returns its page and its picture."""
        source = f"examples/{name}.lua"
        digest = hashlib.sha256(read(source).encode() + self.stamp).hexdigest()[:16]
        folder = os.path.join(self.target, "runs", name)
        mark = os.path.join(folder, "made")
        page, picture = ("play.html" if self.can_play else "report.html"), f"runs/{name}/picture.png"
        if not (os.path.exists(mark) and open(mark, encoding="utf-8").read() == digest):
            shutil.rmtree(folder, ignore_errors=True)
            os.makedirs(folder)
            answer = self.call("run", source, "--quiet", "--out", folder)
            if answer.returncode != 0:
                fail(f"{source}: {answer.stderr}")
            if self.can_play:
                answer = self.call("play", source, "-o", os.path.join(folder, page))
                if answer.returncode != 0:
                    fail(f"{source}: {answer.stderr}")
            if self.has_browser:
                with open(os.path.join(folder, "run.json"), encoding="utf-8") as file:
                    end = json.load(file)["time"]
                self.call("view", folder, "--png", os.path.join(folder, "picture.png"), "--size", "960x540", "--time",
                          str(0.3 * end), "--show", "forces=0&points=0&trails=1")
            for left in ("result.h5", "run.json") + (("report.html",) if self.can_play else ()):
                if os.path.exists(os.path.join(folder, left)):
                    os.remove(os.path.join(folder, left))
            with open(mark, "w", encoding="utf-8") as file:
                file.write(digest)
        return f"runs/{name}/{page}", picture if os.path.exists(os.path.join(self.target, picture)) else None

    def write_example(self, name):
        source = read(f"examples/{name}.lua")
        lines = source.split("\n")
        about = []
        while lines and lines[0].startswith("--"):
            about.append(lines.pop(0)[2:].rstrip())
        title = name.replace("_", " ").capitalize()
        body = [f'<h1 id="{name}">{title}</h1>']
        body += describe(about)
        if self.has_runs:
            page, picture = self.run_example(name)
            words = "Move its parameters and see the motion change" if self.can_play else "See it move: the report of its run"
            if picture:
                body.append(f'<a href="{page}"><img class="picture" src="{picture}" width="960" height="540" alt="{title}"></a>')
            body.append(f'<p><a class="go" href="{page}">{words}</a></p>')
        body.append(f"<pre><code>carom run examples/{name}.lua</code></pre>")
        body.append(f'<h2 id="source">Source</h2><pre class="source"><code>{color_lua(source)}</code></pre>')
        text = "\n".join(body)
        self.write(f"example_{name}.html", title, text)
        self.index.append([f"example_{name}.html", "", "Examples", title, " ".join(" ".join(about).split())])

    # ------------------------------------------------------------------------------------------ all

    def make(self):
        os.makedirs(self.target, exist_ok=True)
        self.stamp = hashlib.sha256(open(self.tool, "rb").read()).digest()
        with open(os.path.join(HERE, "frame.html"), encoding="utf-8") as file:
            self.frame = file.read()
        pages = {document: self.convert(document) for document in self.documents + self.rest}
        self.titles = {document: title for document, (title, _, _) in pages.items()}
        for document, (title, body, headings) in pages.items():
            self.write(page_of(document), title, body, headings)
            self.note(page_of(document), LABELS.get(document) or title, body)
        for number, name in enumerate(self.chosen):
            if sys.stderr.isatty():
                print(f"\rsite: {number + 1}/{len(self.chosen)} {name:30}", end="", file=sys.stderr)
            self.write_example(name)
        for name in ("style.css", "site.js"):
            shutil.copyfile(os.path.join(HERE, name), os.path.join(self.target, name))
        with open(os.path.join(self.target, "search.js"), "w", encoding="utf-8") as file:
            file.write("const searchIndex = " + json.dumps(self.index, ensure_ascii=False, separators=(",", ":")) + ";\n")


def main():
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument("tool")
    parser.add_argument("target")
    parser.add_argument("--examples", default="")
    parser.add_argument("--no-runs", action="store_true")
    given = parser.parse_args()
    if shutil.which("cmark-gfm") is None:
        fail("there is no cmark-gfm here (Debian: cmark-gfm; scripts/setup.sh package)")
    examples = [name for name in given.examples.split(",") if name]
    Site(os.path.abspath(given.tool), os.path.abspath(given.target), examples, not given.no_runs).make()


main()
