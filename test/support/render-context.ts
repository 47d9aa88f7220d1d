const USERS = [
  { id: 5, fullName: 'Iago', isActive: true },
  { id: 6, fullName: "Cordelia, Lear's daughter", isActive: true },
  { id: 7, fullName: 'Zoë <b>', isActive: true },
  { id: 8, fullName: 'Twin', isActive: true },
  { id: 9, fullName: 'Twin', isActive: true },
  { id: 10, fullName: 'Gone', isActive: false },
];
const GROUPS = [
  { id: 3, name: 'hamletcharacters' },
  { id: 4, name: 'role:members' },
];
const CHANNELS = [
  { id: 1, name: 'Denmark' },
  { id: 2, name: 'dev help (v1.0)' },
  { id: 3, name: 'a>b' },
];
const EMOJI = [
  { id: 11, name: 'green_tick', url: '/user_avatars/1/emoji/images/11.png' },
  { id: 12, name: 'octopus', url: '/user_avatars/1/emoji/images/12.png' },
];

function named<T extends { name: string }>(all: readonly T[], name: string): T | undefined {
  return all.find((each) => each.name.toLowerCase() === name.toLowerCase());
}

/** A linkifier for a pattern with one group, whose text is appended to the URL. */
export function linkifier(id: number, pattern: RegExp, urlStart: string) {
  return {
    id,
    *matches(text: string) {
      for (const match of text.matchAll(pattern)) {
        const start = match.index;
        yield { start, end: start + match[0].length, text: match[0], url: `${urlStart}${match[1]}` };
      }
    },
  };
}

/** A picture, a video or audio for any upload, by its name, in every state that a picture can be in. */
export function everyUpload(path: string) {
  const size = { width: 1920, height: 1080, isAnimated: path.includes('gif'), transcoded: null };
  if (/\.mp[34]$/.test(path)) {
    return { contentType: path.endsWith('3') ? 'audio/mpeg' : 'video/mp4', picture: null };
  }
  const thumbnails = path.length % 3 === 0 ? 'waiting' : path.length % 3 === 1 ? 'made' : 'none';
  return { contentType: 'image/png', picture: { ...size, thumbnails } } as const;
}

/** A small organization for rendering messages: a `RenderContext`, with parts overridden by the test. */
export function renderContext<Overrides extends object>(overrides?: Overrides) {
  return {
    userById: (id: number) => USERS.find((user) => user.id === id),
    usersByName: (name: string) => USERS.filter((user) => user.fullName.toLowerCase() === name.toLowerCase()),
    groupByName: (name: string) => named(GROUPS, name),
    channelByName: (name: string) => named(CHANNELS, name),
    newestIn: (channelId: number, topic: string) => (channelId === 1 && topic === 'plans' ? 77 : undefined),
    customEmoji: (name: string) => EMOJI.find((emoji) => emoji.name === name),
    linkifiers: () => [],
    defaultCodeLanguage: '',
    siteUrl: 'https://chat.example.com',
    ...overrides,
  };
}
