// Draws equations with KaTeX: `math` fences, and code between dollar signs ($`x`$), as GitHub does.
// Without a script, or before it has run, an equation stays readable as its source.
"use strict";

const draw = (source, place, displayMode) =>
  katex.render(source, place, { displayMode, throwOnError: false });

for (const code of document.querySelectorAll("code.language-math")) {
  const place = document.createElement("div");
  place.className = "equation";
  draw(code.textContent, place, true);
  code.closest("pre").replaceWith(place);
}

for (const code of document.querySelectorAll(".content code:not([class*=language])")) {
  const [before, after] = [code.previousSibling, code.nextSibling];
  if (!before?.data?.endsWith("$") || !after?.data?.startsWith("$")) continue;
  before.data = before.data.slice(0, -1);
  after.data = after.data.slice(1);
  const place = document.createElement("span");
  draw(code.textContent, place, false);
  code.replaceWith(place);
}
