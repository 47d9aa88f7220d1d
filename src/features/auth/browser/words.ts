/** The texts of the sign-in pages. */
export const signIn = {
  title: 'Sign in',
  byEmail: 'Sign in with your email address and password.',
  byName: 'Sign in with your email address or username and password.',
  email: 'Email address',
  emailOrName: 'Email address or username',
  password: 'Password',
  action: 'Sign in',
  forgot: 'Forgot password?',
  with: (provider: string) => `Continue with ${provider}`,
  throttled: (minutes: string) => `Too many failed attempts. Try again in ${minutes}.`,
};

export const code = {
  title: 'Sign in',
  about: 'Enter the code that your authenticator app shows, or a recovery code.',
  label: 'Code',
  action: 'Sign in',
  browser: 'This browser',
  remember: 'Don’t ask for a code here for 30 days',
  again: 'Start again',
  over: 'That took too long. Please sign in again.',
};

export const passkey = {
  signIn: 'Sign in with a passkey',
  action: 'Use a passkey',
  add: 'Set up a passkey',
  name: 'Passkey',
  unused: 'No passkey was used. Try again, or sign in another way.',
  failed: 'That didn’t work. Try again in a moment, or sign in another way.',
};

export const setUp = {
  title: 'Set up your second factor',
  about:
    'Your organization requires a second factor: a passkey, or a code from an authenticator app on your phone or computer.',
  action: 'Set up an authenticator app',
  key: 'Add an account to your authenticator app with this key:',
  open: 'Open in an app on this device',
  confirmation: 'Then enter the code that the app shows.',
  confirm: 'Confirm',
  signInFirst: 'Your organization requires a second factor. Please sign in again to set it up.',
};

export const recovery = {
  title: 'Save your recovery codes',
  about:
    'Each of these codes signs you in once if you lose your authenticator app or passkey. They are shown only now: keep them apart from either.',
  action: 'Continue',
};

export const first = {
  title: 'Welcome',
  about: (email: string) =>
    `You are the owner of this new server, signing in as ${email}. Choose a password to replace the one shown at startup.`,
  name: 'Your name',
  organization: 'Name of your organization',
  password: 'Password',
  action: 'Set password and sign in',
  over: 'This link doesn’t work',
  overAbout: 'The link was already used, is older than 30 minutes, or is incomplete.',
  signIn: 'Sign in with your password',
};

export const home = {
  title: 'Parley',
  about:
    'This is a team chat server. Sign in here, or use any Zulip client with this server’s URL, your email address and your password.',
  signIn: 'Sign in',
  signedIn: (name: string) => `You are signed in as ${name}.`,
  signOut: 'Sign out',
  developers: 'For developers:',
  reference: 'API reference',
};

export const signedOut = {
  title: 'Signed out',
  about: 'You are signed out here.',
  action: (provider: string) => `Sign out of ${provider}`,
};
