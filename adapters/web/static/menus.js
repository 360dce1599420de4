// Menus close by a click elsewhere, and by Escape.

const menus = '.dates, .menu';

addEventListener('click', ({ target }) => {
  for (const menu of document.querySelectorAll(menus)) if (!menu.contains(target)) menu.open = false;
});

addEventListener('keydown', ({ key, target }) => {
  const menu = target.closest?.(menus);
  if (key !== 'Escape' || !menu) return;
  menu.open = false;
  menu.querySelector('summary').focus();
});
