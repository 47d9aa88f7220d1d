import { formHtml, paragraphs } from '../../../platform/pages/form-fields';
import { PageRefusal } from '../../../platform/pages/page.errors';
import type { PageContent } from '../../../platform/pages/web-page';
import { PASSWORD_RULES } from '../../../platform/secrets/passwords';
import { RESET_LIMITS } from './password-reset.api';

/** The form for the address of somebody who has forgotten the password. */
export function requestPage(sent?: { readonly email: string; readonly refusal: string }): PageContent {
  const body = formHtml({
    refusal: sent?.refusal,
    introduction:
      'Tell us the e-mail address of your account, and a link for a new password will be sent to it.',
    fields: [
      {
        name: 'email',
        label: 'E-mail address',
        type: 'email',
        autocomplete: 'email',
        maxLength: RESET_LIMITS.email,
        value: sent?.email,
      },
    ],
    action: 'Send the link',
  });
  return { title: 'Forgotten password', body };
}

/** The same whether somebody has the address or not. */
export function requestedPage(): PageContent {
  const texts = [
    'If somebody has an account with this address, a mail with a link is on its way to it. The link works for an hour.',
    'If nothing comes, look among the unwanted mails, or ask an administrator whether your account has another address.',
  ];
  return { title: 'Look into your mail', body: paragraphs(...texts) };
}

/** The form for the new password. */
export function newPasswordPage(email: string, refusal?: string): PageContent {
  const body = formHtml({
    refusal,
    introduction: `Choose a new password for ${email}.`,
    fields: [
      {
        name: 'password',
        label: 'New password',
        type: 'password',
        autocomplete: 'new-password',
        maxLength: RESET_LIMITS.password,
        hint: `At least ${PASSWORD_RULES.minLength} characters, and no common word, name or pattern.`,
      },
    ],
    action: 'Change the password',
  });
  return { title: 'New password', body };
}

/** The end of it. */
export function changedPage(): PageContent {
  return {
    title: 'Your password is changed',
    body: paragraphs(
      'Sign in with the new one from now on.',
      'Apps in which you are signed in stay so, because they use your API key. If somebody else may have known the old password, make a new key in your settings as well.',
    ),
  };
}

/** Without mail there is nothing to offer. */
export class NoResetByMail extends PageRefusal {
  constructor() {
    const text = 'This server sends no mail. Ask an administrator for a new password.';
    super({ title: 'Forgotten password', body: paragraphs(text) }, 404);
  }
}

/** The link was used, is too old, or never was one. */
export class ResetLinkOver extends PageRefusal {
  constructor() {
    const text =
      'It was used already, or it is too old, or only a part of it was opened. You can have a new one sent.';
    super({ title: 'This link does not work', body: paragraphs(text) }, 404);
  }
}
