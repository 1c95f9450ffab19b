var Scorer = {
  // The page of a claim comes first in a search for its name, and lessons before the reference.
  score: ([page, title, anchor, description, score]) => {
    const asked = new URLSearchParams(location.search).get("q") || "";
    return page === `claims/${asked.trim().toLowerCase()}` ? 1000
      : score + (page.startsWith("notebooks/") ? 10 : 0);
  },
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
