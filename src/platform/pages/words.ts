/** The texts shared by all pages. Those of a feature are in a file of this name in its folder. */
export const passwordHint = (length: number) =>
  `At least ${length} characters. Avoid common words, names and patterns.`;

export const tooMany = {
  title: 'Too many attempts',
  about: 'Too many attempts from your network. Try again in a few minutes.',
};

export const failed = {
  title: 'Something went wrong',
  about: 'The server couldn’t complete your request. Try again in a moment.',
};

/** Errors that people cause, by the message of the API or, if that varies, by the name of the error. */
export const refusals = {
  'Enter a valid email address.': 'Enter a valid email address.',
  'Email is already in use.':
    'Email is already in use. The account may be deactivated. Choose another address, or for a bot another short name.',
  EmailDomainNotAllowed: 'This email address is not allowed in this organization.',
  'Email addresses containing + are not allowed.': 'Email addresses containing + are not allowed.',
  'Disposable email addresses are not allowed in this organization':
    'Disposable email addresses are not allowed in this organization.',
  'Name too long!': 'Name too long!',
  'Name too short!': 'Name too short!',
  'Invalid characters in name!': 'Invalid characters in name!',
  'Invalid format!': 'Invalid format!',
  'Unique names required in this organization.': 'Unique names required in this organization.',
  'The password is too weak.':
    'The password is too weak. Choose a longer one, and avoid common words, names and patterns.',
  'Incorrect email or password': 'Incorrect email or password.',
  'Account is deactivated': 'Account is deactivated.',
  'The role of this account is unknown': 'The role of this account is unknown.',
  'Password authentication is disabled in this organization':
    'Password authentication is disabled in this organization.',
  'The code is wrong, or was used before': 'The code is wrong, or was used before.',
  'This passkey was not accepted.': 'This passkey was not accepted.',
  'This passkey was not accepted': 'This passkey was not accepted.',
  'A second factor is already set up.': 'A second factor is already set up.',
  'No second factor is set up.': 'No second factor is set up.',
  'Your organization’s directory can’t be reached at the moment. Please try again later.':
    'Your organization’s directory can’t be reached at the moment. Please try again later.',
  'This organization has been deactivated': 'This organization has been deactivated.',
  'Page not found': 'Page not found',
  'Insufficient permission': 'Insufficient permission',
  RequestForged:
    'This form was not sent from a page of this server. Go back, reload the page, and try again.',
};
