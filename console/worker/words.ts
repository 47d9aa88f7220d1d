/** The texts of notifications that come while no page is open. Those of pages have the same. */

export const hiddenText = 'New message';
export const worksTitle = 'Parley';
export const works = 'Push notifications work.';
export const several = (count: number, title: string) => `${count} messages: ${title}`;
