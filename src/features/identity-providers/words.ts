/** Texts of the identity provider pages. */
export const back = 'Back to sign-in';

export const failed = {
  title: 'Sign-in failed',
  unknown: 'This way of signing in isn’t available.',
  otp: 'Invalid OTP',
  bothOtps: "Can't use both mobile_flow_otp and desktop_flow_otp together.",
  byProvider: (provider: string) => `Signing in with ${provider} did not work. Please try again.`,
  away: (provider: string) => `${provider} can’t be reached at the moment. Please try again later.`,
  notVerified: (provider: string) =>
    `${provider} did not confirm your email address. Ask an administrator for help.`,
  notLinked: (email: string) => `The account ${email} isn’t linked to this way of signing in.`,
  notLinkedAdvice: 'Sign in with your password, or ask the operator of this server to link it.',
  deactivated: (email: string) =>
    `Your account ${email} has been deactivated. Please contact your organization administrator to reactivate it.`,
  noFactor:
    'Your organization requires a second factor, which the app can’t ask for. Sign in with the browser.',
  closed: 'This organization has been deactivated.',
};

export const notFound = {
  title: 'Account not found',
  about: (email: string) => `No account found for ${email}.`,
  advice: 'Ask an administrator for an account.',
};

export const ownersOnly = {
  title: 'Sign in as an owner',
  about: 'Only owners of the organization can see the claims of a provider.',
};

export const inApp = {
  title: 'Open the app',
  about: (name: string) => `You are signed in as ${name}.`,
  action: 'Continue in the app',
};

export const desktop = {
  title: 'Finish desktop login',
  about: 'Use your web browser to finish logging in, then come back here to paste in your login token.',
  field: 'Login token',
  problem: 'Incorrect token.',
  insecure: 'Logging in here needs a secure connection: the address has to begin with https.',
  action: 'Finish',
  again: 'Open the browser again',
  copy: 'Copy this login token and return to your Zulip app to finish logging in:',
  copyAction: 'Copy',
  copied: 'Copied. You may now close this window.',
  over: 'Invalid or expired login session.',
  logIn: 'Log in',
};

export const claimed = {
  title: (provider: string) => `Claims from ${provider}`,
  here: 'In Parley',
  verified: 'Email address counts as verified',
  role: 'Role of a new account',
  roles: {
    owner: 'owner',
    administrator: 'administrator',
    moderator: 'moderator',
    member: 'member',
    guest: 'guest',
  },
  factor: 'Second factor shown',
  groups: 'User groups',
  yes: 'yes',
  no: 'no',
  unchanged: 'unchanged: no such claim',
  none: 'none',
};
