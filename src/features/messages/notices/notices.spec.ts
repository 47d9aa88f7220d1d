import {
  channelCreatedNotice,
  channelsAnnouncedNotice,
  postingChangedNotice,
  subscribedNotice,
} from './notices';

const mia = { id: 7, fullName: 'Mia Member' };
const channel = {
  name: 'lunch',
  description: '',
  isPrivate: false,
  isWebPublic: false,
  isHistoryPublicToSubscribers: true,
};

it('announces new channels', () => {
  expect(channelsAnnouncedNotice(mia, [channel])).toBe(
    '@_**Mia Member|7** created a new channel #**lunch**.',
  );
  expect(channelsAnnouncedNotice(mia, [channel, { name: 'tea' }])).toBe(
    '@_**Mia Member|7** created the following channels: #**lunch**, #**tea**.',
  );
});

it('notifies people who were subscribed', () => {
  expect(subscribedNotice(mia, [channel])).toBe('@_**Mia Member|7** subscribed you to #**lunch**.');
  expect(subscribedNotice(mia, [{ name: 'tea' }, channel])).toBe(
    '@_**Mia Member|7** subscribed you to the following channels:\n\n* #**lunch**\n* #**tea**',
  );
});

it('counts the holders of a permission beyond the first ones', () => {
  const before = { groupNames: ['role:nobody'], people: [] };
  const after = { groupNames: ['cooks'], people: Array.from({ length: 40 }, () => mia) };
  const notice = postingChangedNotice(mia, before, after);
  expect(notice).toContain('* **Old**: @_*role:nobody*\n* **New**: @_*cooks*, @_**Mia Member|7**, @_**Mia');
  expect(notice).toMatch(/@_\*\*Mia Member\|7\*\*, 11 more$/);
});

it.each([
  [{}, 'Public'],
  [{ isWebPublic: true }, 'Web-public'],
  [{ isPrivate: true }, 'Private, shared history'],
  [{ isPrivate: true, isHistoryPublicToSubscribers: false }, 'Private, protected history'],
])('describes a new channel, with %j', (privacy, word) => {
  expect(channelCreatedNotice(mia, { ...channel, ...privacy })).toBe(
    `**${word}** channel created by @_**Mia Member|7**. **Description:**\n\`\`\`\` quote\n*No description.*\n\`\`\`\``,
  );
});
