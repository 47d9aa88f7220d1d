import { avatarUrl } from './account.directory';

const external = {
  deliveryEmail: 'Mia@example.com',
  avatarSource: 'G',
  avatarKey: null,
  avatarVersion: 3,
};

describe('avatar URLs', () => {
  it('contain the digest of the lower-case address', () => {
    expect(avatarUrl(external)).toMatch(
      /^https:\/\/secure\.gravatar\.com\/avatar\/[0-9a-f]{32}\?d=identicon&version=3$/,
    );
    expect(avatarUrl(external)).toBe(avatarUrl({ ...external, deliveryEmail: 'mia@EXAMPLE.com' }));
  });

  it('name the larger size', () => {
    expect(avatarUrl(external, 'medium')).toContain('?d=identicon&s=500&version=3');
  });

  it('are paths of this server for uploaded ones', () => {
    const uploaded = { ...external, avatarSource: 'U', avatarKey: 'ab'.repeat(20) };
    expect(avatarUrl(uploaded)).toBe(`/user_avatars/1/${'ab'.repeat(20)}.png`);
    expect(avatarUrl(uploaded, 'medium')).toBe(`/user_avatars/1/${'ab'.repeat(20)}-medium.png`);
  });
});
