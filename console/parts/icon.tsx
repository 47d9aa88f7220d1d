/** Lines on a square of 24 units. */
const PATHS = {
  close: 'M6 6l12 12M18 6L6 18',
  menu: 'M4 7h16M4 12h16M4 17h16',
  search: 'M11 4a7 7 0 100 14 7 7 0 000-14zM16.5 16.5L21 21',
  smile: 'M12 3a9 9 0 100 18 9 9 0 000-18zM8.5 14.5a4.5 4.5 0 007 0M9 9.5v.5M15 9.5v.5',
  star: 'M12 4l2.5 5.2 5.7.8-4.1 4 1 5.6L12 17l-5.1 2.6 1-5.6-4.1-4 5.7-.8z',
  edit: 'M4 20l1-4L16.5 4.5l3 3L8 19z',
  quote: 'M10 8L5 13l5 5M5 13h9a5 5 0 015 5v1',
  file: 'M20 11.5l-8 8a5 5 0 01-7-7l8.5-8.5a3.3 3.3 0 014.7 4.7L9.8 17a1.7 1.7 0 01-2.4-2.3L15 7',
  send: 'M5 12L3.5 4.5 21 12 3.5 19.5zM5 12h7',
  bell: 'M6 16V11a6 6 0 0112 0v5l1.5 2h-15zM10 21h4',
  mute: 'M6 16V11c0-1 .2-2 .7-2.8M9.5 5.600A6 6 0 0118 11v3M6 16l-1.5 2H18M10 21h4M4 4l16 16',
  check: 'M5 12.500l5 5L19.5 7',
  lock: 'M6 11h12v9H6zM9 11V8a3 3 0 016 0v3',
  hash: 'M10 4L8 20M16 4l-2 16M5 9h15M4 15h15',
  inbox: 'M4 13l3-8h10l3 8v6H4zM4 13h5l1 2.500h4l1-2.500h5',
  at: 'M15.5 12a3.5 3.5 0 11-7 0 3.5 3.5 0 017 0zm0 0v1.500a2.5 2.5 0 005 0V12a8.5 8.5 0 10-3.5 6.8',
  plus: 'M12 5v14M5 12h14',
  more: 'M5 11.500v1M4.500 12h1M12 11.500v1M11.500 12h1M19 11.500v1M18.500 12h1',
  reply: 'M9 8l-5 5 5 5M4 13h10a6 6 0 016 6',
  link: 'M10 14a4 4 0 006 .4l3-3a4 4 0 00-5.700-5.700l-1.500 1.500M14 10a4 4 0 00-6-.4l-3 3a4 4 0 005.700 5.700l1.500-1.500',
  trash: 'M5 7h14M9 7V4.500h6V7M7 7l1 13h8l1-13',
  move: 'M4 12h15M14 7l5 5-5 5',
  clock: 'M12 3a9 9 0 100 18 9 9 0 000-18zM12 7.500V12l3 2',
  flag: 'M6 21V4h12l-3 4 3 4H6',
  eye: 'M2.500 12S6 5.500 12 5.500 21.500 12 21.500 12 18 18.500 12 18.500 2.500 12 2.500 12zM12 9.500a2.500 2.500 0 100 5 2.500 2.500 0 000-5z',
  pin: 'M9 4h6l-1 6 3 3.500H7L10 10zM12 13.500V20',
  leave: 'M14 5H5v14h9M10 12h10M17 9l3 3-3 3',
  down: 'M12 5v14M6 13l6 6 6-6',
} as const;

export type IconName = keyof typeof PATHS;

/** A decorative icon, hidden from screen readers. */
export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}
