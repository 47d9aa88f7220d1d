/** The texts of the pages of invitations. */
export const join = {
  title: (organization: string) => `Join ${organization}`,
  about: (inviter: string, organization: string) => `${inviter} has invited you to ${organization}.`,
  email: 'Email address',
  emailHint: 'You’ll use it to sign in.',
  name: 'Your name',
  nameHint: 'Shown next to your messages.',
  password: 'Password',
  interests: 'What are you interested in?',
  action: 'Join',
};

export const joined = {
  title: (organization: string) => `Welcome to ${organization}`,
  about: 'Your account is ready.',
  inApps: (site: string, email: string) =>
    `To sign in with an app, enter the server URL ${site}, your email address ${email} and your password.`,
};

export const unknown = {
  title: 'Invitation not found',
  about: 'Check that you opened the complete link, or ask the person who invited you for a new one.',
};

export const over = {
  title: 'This invitation has expired',
  about: 'It was already used or revoked, or it is too old.',
  advice:
    'If you already have an account, sign in. Otherwise, ask the person who invited you for a new invitation.',
};
