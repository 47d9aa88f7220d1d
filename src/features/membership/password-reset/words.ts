/** The texts of the pages that reset a password. */
export const request = {
  title: 'Forgot password?',
  about: 'Enter the email address of your account to receive a password reset link.',
  email: 'Email address',
  action: 'Send reset link',
  byNoMail: 'This server doesn’t send email. Ask an administrator to reset your password.',
};

export const requested = {
  title: 'Check your email',
  about:
    'If there is an account with this address, a password reset link is on its way. It expires in one hour.',
  advice:
    'If nothing arrives, check your spam folder, or ask an administrator which address your account has.',
};

export const change = {
  title: 'New password',
  about: (email: string) => `Choose a new password for ${email}.`,
  password: 'New password',
  action: 'Change password',
  apps: 'Apps stay signed in because they use your API key. If someone else may know your old password, generate a new API key in your settings too.',
};

export const changed = {
  title: 'Password changed',
  about: 'Use your new password to sign in from now on.',
  signIn: 'Sign in',
};

export const over = {
  title: 'This link doesn’t work',
  about: 'The link was already used, has expired, or is incomplete. You can request a new one.',
};
