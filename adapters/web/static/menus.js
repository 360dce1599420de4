// Menus close by a click elsewhere, and by Escape.

const menus = '.dates, .menu';

export function closeMenuOf(element) {
  const menu = element.closest?.(menus);
  if (!menu) return;
  menu.open = false;
  menu.querySelector('summary').focus();
}

addEventListener('click', ({ target }) => {
  for (const menu of document.querySelectorAll(menus)) if (!menu.contains(target)) menu.open = false;
});

addEventListener('keydown', ({ key, target }) => {
  if (key === 'Escape') closeMenuOf(target);
});
