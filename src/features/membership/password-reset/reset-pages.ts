import { SIGN_IN_PATH } from '../../../platform/errors/request.errors';
import { formHtml, paragraphs } from '../../../platform/pages/forms';
import { markup, type PageContent, PageRefusal } from '../../../platform/pages/web-page';
import { PASSWORD_HINT } from '../../../platform/secrets/passwords';
import { RESET_LIMITS } from '../membership.api';

/** The form that requests a reset link. */
export function requestPage(sent?: { readonly email: string; readonly refusal: string }): PageContent {
  const body = formHtml({
    refusal: sent?.refusal,
    introduction: 'Enter the email address of your account to receive a password reset link.',
    fields: [
      {
        name: 'email',
        label: 'Email address',
        type: 'email',
        autocomplete: 'email',
        maxLength: RESET_LIMITS.email,
        value: sent?.email,
      },
    ],
    action: 'Send reset link',
  });
  return { title: 'Forgot password?', body };
}

/** The same whether or not an account has the address. */
export function requestedPage(): PageContent {
  const texts = [
    'If there is an account with this address, a password reset link is on its way. It expires in one hour.',
    'If nothing arrives, check your spam folder, or ask an administrator which address your account has.',
  ];
  return { title: 'Check your email', body: paragraphs(...texts) };
}

/** The form for the new password. */
export function newPasswordPage(email: string, refusal?: string): PageContent {
  const form = formHtml({
    refusal,
    introduction: `Choose a new password for ${email}.`,
    fields: [
      {
        name: 'password',
        label: 'New password',
        type: 'password',
        autocomplete: 'new-password',
        maxLength: RESET_LIMITS.password,
        hint: PASSWORD_HINT,
      },
    ],
    action: 'Change password',
  });
  return { title: 'New password', body: markup`${form} ${paragraphs(APPS_STAY)}` };
}

const APPS_STAY =
  'Apps stay signed in because they use your API key. If someone else may know your old password, generate a new API key in your settings too.';

/** Confirms the change, if the user has to sign in. */
export function changedPage(): PageContent {
  return {
    title: 'Password changed',
    body: markup`${paragraphs('Use your new password to sign in from now on.')}
      <p><a href="${SIGN_IN_PATH}">Sign in</a></p>`,
  };
}

/** The server cannot send email. */
export class NoResetByMail extends PageRefusal {
  constructor() {
    const text = 'This server doesn’t send email. Ask an administrator to reset your password.';
    super({ title: 'Forgot password?', body: paragraphs(text) }, 404);
  }
}

/** The link was used, has expired, or never existed. */
export class ResetLinkOver extends PageRefusal {
  constructor() {
    const text = 'The link was already used, has expired, or is incomplete. You can request a new one.';
    super({ title: 'This link doesn’t work', body: paragraphs(text) }, 404);
  }
}
