/** SVG paths on a grid of 24 units. */
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
  feed: 'M4 5h16v5H4zM4 14h16v5H4z',
  browse: 'M12 3a9 9 0 100 18 9 9 0 000-18zM15.500 8.500l-2 5-5 2 2-5z',
  chat: 'M4 5h16v11H10l-5 4v-4H4z',
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
  person: 'M12 4a4 4 0 100 8 4 4 0 000-8zM4.500 20a7.500 7.500 0 0115 0',
  keyboard: 'M3 6.500h18v11H3zM7 10h.5M11 10h.5M15 10h.5M8 14h8',
  panel: 'M3.500 5h17v14h-17zM15 5v14',
  down: 'M12 5v14M6 13l6 6 6-6',
  back: 'M15 5l-7 7 7 7',
  forth: 'M9 5l7 7-7 7',
  minus: 'M5 12h14',
  color: 'M12 3c-4 5-6 7.500-6 11a6 6 0 0012 0c0-3.500-2-6-6-11z',
  forward: 'M14 8l5 5-5 5M19 13h-9a5 5 0 00-5 5v1',
  fit: 'M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5',
  open: 'M13 5h6v6M19 5l-9 9M16 14v5H5V8h5',
  download: 'M12 4v11M7 11l5 5 5-5M5 20h14',
  bold: 'M7 5h6a3.500 3.500 0 010 7H7zM7 12h7a3.500 3.500 0 010 7H7z',
  italic: 'M10 5h8M6 19h8M14 5l-4 14',
  strike:
    'M4 12h16M16.500 7.500C16 5.500 14 5 12 5c-2.500 0-4.500 1-4.500 3 0 1.500 1 2.500 2.500 3M7.500 16c.5 2 2.500 3 4.500 3 2.500 0 4.500-1.200 4.500-3.500 0-1.200-.5-2-1.200-2.500',
  code: 'M8.500 7l-5 5 5 5M15.500 7l5 5-5 5',
  list: 'M9 6h11M9 12h11M9 18h11M4.500 6h.1M4.500 12h.1M4.500 18h.1',
  numbers:
    'M10 6h10M10 12h10M10 18h10M4 4.500l1.500-.5v5M3.500 14.500c0-1 3-1.500 3 0 0 1.500-3 2-3 3.500h3.200',
  indent: 'M5 5v14M10 7h10M10 12h10M10 17h6',
  spoiler: 'M4 5h16v14H4zM8 10h8M8 14.500h.1M12 14.500h.1M16 14.500h.1',
  poll: 'M5 20V11M12 20V4M19 20v-6',
  tasks: 'M3.500 7l2 2 3-4M12 7h8.500M3.500 16.500l2 2 3-4M12 17h8.500',
  letters: 'M3 18L8 5.500 13 18M4.700 14h6.600M21 18v-7M21 14.500a3 3.500 0 11-6 0 3 3.500 0 016 0z',
} as const;

export type IconName = keyof typeof PATHS;

export const ICONS = Object.keys(PATHS) as IconName[];

/** Icons that are mirrored in languages from right to left. */
const DIRECTED = new Set<IconName>(
  'send quote reply move leave back forth forward open list numbers indent panel'.split(' ') as IconName[],
);

/** A decorative icon, hidden from screen readers. */
export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg class={DIRECTED.has(name) ? 'icon directed' : 'icon'} viewBox="0 0 24 24" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}
