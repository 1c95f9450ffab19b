// Makes an element of a drawing, for the pages of claims and of maps.
const svg = (name, attributes, text = "") => {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const key in attributes) element.setAttribute(key, attributes[key]);
  element.textContent = text;
  return element;
};
