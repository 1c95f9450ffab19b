// Makes an element of a drawing within another; given to every live picture.
(name, parent, attributes, text = "") => {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  Object.entries(attributes).forEach(([key, value]) => made.setAttribute(key, value));
  made.textContent = text;
  return parent.appendChild(made);
}
