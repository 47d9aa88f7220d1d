/** The texts of `words.ts` in German. */

export const operators = {
  channel: 'In einem Kanal',
  topic: 'In einem Thema',
  sender: 'Von einer Person',
  dm: 'Direktnachrichten mit Personen',
  'dm-including': 'Direktnachrichten, an denen jemand beteiligt ist',
  mentions: 'Erwähnt eine Person',
  is: 'Nachrichten einer bestimmten Art',
  has: 'Nachrichten, die etwas enthalten',
  channels: 'In allen Kanälen einer Art',
  near: 'Um eine Nachricht herum, nach ihrer ID',
  id: 'Eine Nachricht, nach ihrer ID',
} as const;

export const values: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  is: {
    unread: 'Ungelesene Nachrichten',
    starred: 'Mit Stern markierte Nachrichten',
    mentioned: 'Nachrichten, die dich erwähnen',
    dm: 'Direktnachrichten',
    followed: 'In Themen, denen du folgst',
    resolved: 'In erledigten Themen',
    muted: 'In stummgeschalteten Kanälen und Themen',
    alerted: 'Mit deinen Signalwörtern',
  },
  has: {
    link: 'Mit Links',
    image: 'Mit Bildern',
    attachment: 'Mit Dateien',
    reaction: 'Mit Reaktionen',
  },
  channels: {
    public: 'In öffentlichen Kanälen, mit ihrem Verlauf',
    'web-public': 'In Kanälen, die im Web öffentlich sind',
    archived: 'In archivierten Kanälen',
  },
};

export const here = 'In dieser Unterhaltung';
export const except = (meaning: string) => `Nicht: ${meaning}`;
export const me = 'Du';
