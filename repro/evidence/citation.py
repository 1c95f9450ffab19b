"""How to cite the package and the papers: CITATION.cff, codemeta.json and papers.bib."""

import json
import tomllib

ABOUT = "If you use this package, please cite it, and the papers whose methods you use."
TYPES = {"inproceedings": "conference-paper", "misc": "article"}  # of BibTeX, of a CITATION.cff


def render_citations(root):
    """Render the three files from pyproject.toml, which has all that they say: texts by path."""
    path = root / "pyproject.toml"
    about = tomllib.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    papers = about.get("tool", {}).get("repro", {}).get("papers")
    if papers is None:
        return {}
    texts = {
        "CITATION.cff": _citation(about["project"], papers),
        "codemeta.json": _codemeta(about["project"], papers),
        "papers.bib": "\n".join(map(_bibtex, papers)),
    }
    return {root / name: text for name, text in texts.items()}


def _name(author):
    """Split "Family, Given" into the two."""
    family, _, given = author.partition(", ")
    return family, given


def _citation(project, papers):
    """Render CITATION.cff; texts of JSON are texts of YAML, too."""
    lines = [
        "cff-version: 1.2.0",
        f"message: {json.dumps(ABOUT)}",
        f"title: {json.dumps(_title(project))}",
        "type: software",
        f"version: {project['version']}",
        f"license: {project['license']}",
        "authors:",
        *(f"  - name: {json.dumps(author['name'])}" for author in project["authors"]),
        "references:",
    ]
    for paper in papers:
        lines += [f"  - type: {TYPES[paper['type']]}", f"    title: {json.dumps(paper['title'])}"]
        lines.append("    authors:")
        for family, given in map(_name, paper["authors"]):
            lines += [f"      - family-names: {family}", f"        given-names: {given}"]
        if "booktitle" in paper:
            lines += ["    conference:", f"      name: {json.dumps(paper['booktitle'])}"]
        lines += [f"    year: {paper['year']}", f"    url: {paper['url']}"]
    return "\n".join(lines) + "\n"


def _title(project):
    return f"{project['name']}: {project['description'].partition(':')[0]}"


def _codemeta(project, papers):
    content = {
        "@context": "https://w3id.org/codemeta/3.0",
        "@type": "SoftwareSourceCode",
        "name": project["name"],
        "description": project["description"],
        "version": project["version"],
        "license": f"https://spdx.org/licenses/{project['license']}",
        "programmingLanguage": "Python",
        "runtimePlatform": f"Python {project['requires-python']}",
        "keywords": project["keywords"],
        "author": [{"@type": "Organization", **author} for author in project["authors"]],
        "citation": [
            {
                "@type": "ScholarlyArticle",
                "name": paper["title"],
                "author": [
                    {"@type": "Person", "familyName": family, "givenName": given}
                    for family, given in map(_name, paper["authors"])
                ],
                "datePublished": str(paper["year"]),
                "url": paper["url"],
            }
            for paper in papers
        ],
    }
    return json.dumps(content, indent=2, ensure_ascii=False) + "\n"


def _bibtex(paper):
    fields = {name: value for name, value in paper.items() if name not in ("key", "type")}
    fields["author"] = " and ".join(fields.pop("authors"))
    fields["title"] = f"{{{fields['title']}}}"  # keeps its capitals
    lines = [f"  {name} = {{{value}}}," for name, value in sorted(fields.items())]
    return "\n".join([f"@{paper['type']}{{{paper['key']},", *lines, "}", ""])
