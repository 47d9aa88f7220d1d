/** The page on which people unsubscribe. */
export const unsubscribing = {
  title: 'Unsubscribe',
  about: (email: string) => `Stop sending emails about missed messages to ${email}?`,
  action: 'Unsubscribe',
  done: 'Unsubscribed',
  doneAbout:
    'You will get no more emails about missed messages. You can turn them on again in your settings.',
  over: 'This link doesn’t work',
  overAbout:
    'The link is incomplete, or the address of the account has changed. Sign in to change your email settings.',
};
