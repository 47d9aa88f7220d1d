import type { ApiError } from '../../../platform/errors/api-error';
import { SIGN_IN_PATH } from '../../../platform/errors/request.errors';
import { formHtml, paragraphs } from '../../../platform/pages/forms';
import { inEach } from '../../../platform/pages/languages';
import { pageWords, refusalText } from '../../../platform/pages/page-words';
import { markup, type Page, PageRefusal } from '../../../platform/pages/web-page';
import { PASSWORD_RULES } from '../../../platform/secrets/passwords';
import { RESET_LIMITS } from '../membership.api';
import * as de from './words.de';
import * as en from './words';

const wordsIn = inEach<typeof en>({ en, de });

/** The form that requests a reset link. */
export function requestPage(sent?: { readonly email: string; readonly refusal: ApiError }): Page {
  return (language) => {
    const { request } = wordsIn(language);
    const body = formHtml({
      refusal: sent && refusalText(sent.refusal, language),
      introduction: request.about,
      fields: [
        {
          name: 'email',
          label: request.email,
          type: 'email',
          autocomplete: 'email',
          maxLength: RESET_LIMITS.email,
          value: sent?.email,
        },
      ],
      action: request.action,
    });
    return { title: request.title, body };
  };
}

/** The response, which is the same whether or not an account has the address. */
export function requestedPage(): Page {
  return (language) => {
    const { title, about, advice } = wordsIn(language).requested;
    return { title, body: paragraphs(about, advice) };
  };
}

/** The form for the new password. */
export function newPasswordPage(email: string, refusal?: ApiError): Page {
  return (language) => {
    const { change } = wordsIn(language);
    const form = formHtml({
      refusal: refusal && refusalText(refusal, language),
      introduction: change.about(email),
      fields: [
        {
          name: 'password',
          label: change.password,
          type: 'password',
          autocomplete: 'new-password',
          maxLength: RESET_LIMITS.password,
          hint: pageWords(language).passwordHint(PASSWORD_RULES.minLength),
        },
      ],
      action: change.action,
    });
    return { title: change.title, body: markup`${form} ${paragraphs(change.apps)}` };
  };
}

/** Confirms the change, if the user has to sign in. */
export function changedPage(): Page {
  return (language) => {
    const { title, about, signIn } = wordsIn(language).changed;
    const link = markup`<p><a href="${SIGN_IN_PATH}">${signIn}</a></p>`;
    return { title, body: markup`${paragraphs(about)} ${link}` };
  };
}

/** The server cannot send email. */
export class NoResetByMail extends PageRefusal {
  constructor() {
    super((language) => {
      const { title, byNoMail } = wordsIn(language).request;
      return { title, body: paragraphs(byNoMail) };
    }, 404);
  }
}

/** The link was used, has expired, or never existed. */
export class ResetLinkOver extends PageRefusal {
  constructor() {
    super((language) => {
      const { title, about } = wordsIn(language).over;
      return { title, body: paragraphs(about) };
    }, 404);
  }
}
