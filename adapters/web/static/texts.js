// The texts of scripts in the language of the page, which names them in a block; the scripts have those of English.

const place = document.getElementById('texts');
const texts = place ? JSON.parse(place.textContent) : {};

export const language = document.documentElement.lang;

export const tr = (message, values = {}) => (texts[message] ?? message).replace(/\{(\w+)\}/g, (_, name) => values[name]);
