/** What search operators mean, which is loaded with what completes them. */

export const operators = {
  channel: 'In a channel',
  topic: 'In a topic',
  sender: 'From a person',
  dm: 'Direct messages with people',
  'dm-including': 'Direct messages that include a person',
  mentions: 'Mentioning a person',
  is: 'Messages of a kind',
  has: 'Messages that contain something',
  channels: 'In all channels of a kind',
  near: 'Around a message, by its ID',
  id: 'One message, by its ID',
} as const;

/** Operands that can be chosen from, and what each means. */
export const values: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  is: {
    unread: 'Unread messages',
    starred: 'Starred messages',
    mentioned: 'Messages that mention you',
    dm: 'Direct messages',
    followed: 'In topics you follow',
    resolved: 'In resolved topics',
    muted: 'In muted channels and topics',
    alerted: 'With your alert words',
  },
  has: {
    link: 'With links',
    image: 'With pictures',
    attachment: 'With files',
    reaction: 'With reactions',
  },
  channels: {
    public: 'In public channels, with their history',
    'web-public': 'In channels that are public on the web',
    archived: 'In archived channels',
  },
};

export const here = 'In this conversation';
export const except = (meaning: string) => `Not: ${meaning}`;
export const me = 'You';
