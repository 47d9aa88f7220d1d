/** The texts of the pages of an archive of one person. */
export const overview = {
  title: (name: string) => `Data of ${name}`,
  about:
    'What the server stores about you is in the JSON files beside this page, column by column. These pages show your profile, and the messages that you sent or got directly.',
  profile: 'Profile',
  name: 'Name',
  email: 'Email address',
  joined: 'Joined',
  subscriptions: 'Subscriptions',
  messages: 'Messages',
  missing: 'What is missing',
};

export const place = {
  privateChannel: 'private channel',
  unknownChannel: 'unknown channel',
  yourself: 'Messages to yourself',
  generalChat: 'General chat',
  overview: 'Overview',
  next: 'Next',
};

/** What no archive has, beside whole tables. */
export const missing = {
  secrets: 'passwords, keys, and other secrets that would let their reader act as you; also settings of bots',
  channels: 'names, settings and topics of channels that you do not see any more',
  others: 'what others wrote in channels, also where a reminder of yours quotes it',
  holds: 'whether anything is on legal hold',
  server:
    'what modules of this server store, the log of the server, its backups, and work that it still has to do',
};

/** Columns that name a person, whose rows no archive has: what these rows are. */
export const leftOut = {
  'channel_email_address.sender_id': 'addresses by which others send email to channels in your name',
  'event_queue.user_id': 'connections of clients that wait for news',
  'mention_set_member.user_id': 'the lists by which the server finds messages of others that mention you',
  'muted_user.muted_user_id': 'who muted you',
  'sent_echo.user_id': 'the numbers by which a client may repeat a request to send, for a week',
};
