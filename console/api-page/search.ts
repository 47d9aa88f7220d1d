import { existing, make } from './elements';

/** Adds the field above the navigation that hides operations not matching the typed words. */
export function addSearch(articles: readonly HTMLElement[]): void {
  const texts = articles.map((article) => existing('.about', article).textContent.toLowerCase());
  const links = new Map(
    [...document.querySelectorAll<HTMLElement>('nav li')].map((item) => [
      existing<HTMLAnchorElement>('a', item).hash.slice(1),
      item,
    ]),
  );
  const found = make('p', { className: 'found', role: 'status' });
  const field = make('input', { type: 'search', id: 'find', autocomplete: 'off', spellcheck: false });
  const search = () => {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    let count = 0;
    articles.forEach((article, at) => {
      const matches = words.every((word) => texts[at]?.includes(word));
      article.hidden = !matches;
      const link = links.get(article.id);
      if (link) link.hidden = !matches;
      if (matches) count += 1;
    });
    showGroups(words.length > 0);
    found.textContent = words.length === 0 ? '' : count === 1 ? '1 operation' : `${count} operations`;
  };
  field.addEventListener('input', search);
  const label = make('label', { htmlFor: field.id, textContent: 'Find operations' });
  existing('nav').prepend(make('search', {}, label, field, found));
  // Following a link to a hidden operation ends the search.
  addEventListener('hashchange', () => {
    const target = document.getElementById(location.hash.slice(1));
    if (!target?.hidden) return;
    field.value = '';
    search();
    target.scrollIntoView();
  });
}

/** Hides groups of the navigation without matches, and opens the others during a search. */
function showGroups(isSearching: boolean): void {
  for (const group of document.querySelectorAll('details')) {
    if (!group.closest('nav')) continue;
    const items = [...group.querySelectorAll('li')];
    group.hidden = items.length > 0 && items.every(({ hidden }) => hidden);
    group.open = isSearching && !group.hidden && items.length > 0;
  }
}
