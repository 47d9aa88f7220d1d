/** The uploaded picture that a link of a message shows, if any. */
export function pictureOf(link: HTMLAnchorElement | null): HTMLImageElement | null {
  if (link?.origin !== location.origin || !link.pathname.startsWith('/user_uploads/')) return null;
  return link.closest('.rendered') && link.querySelector('img:not(.emoji)');
}

/** All such pictures below an element, in order. */
export function picturesIn(root: ParentNode): HTMLImageElement[] {
  return [...root.querySelectorAll<HTMLAnchorElement>('.rendered a')].flatMap((link) => {
    const picture = pictureOf(link);
    return picture ? [picture] : [];
  });
}

/** Opens a picture: the first of the focused message, or the first on the screen. */
export function openPicture(message: Element | null): boolean {
  const log = document.querySelector('.log');
  const all = message ? picturesIn(message) : log ? picturesIn(log) : [];
  const top = log?.getBoundingClientRect().top ?? 0;
  const picture = message ? all[0] : all.find((each) => each.getBoundingClientRect().bottom > top);
  picture?.click();
  return picture !== undefined;
}
