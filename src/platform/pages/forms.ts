import type { FastifyReply } from 'fastify';
import { ApiError } from '../errors/api-error';
import { languageOf } from './languages';
import { type Html, markup, NOTHING, type Page, renderWebPage } from './web-page';

/**
 * Renders the outcome of a submitted form, or the form again with the reason if its input was rejected.
 * @param again renders the form with the reason
 * @throws errors not caused by the input
 */
export async function formAnswer(
  reply: FastifyReply,
  work: () => Promise<Page>,
  again: (refusal: ApiError) => Page | Promise<Page>,
): Promise<string> {
  const language = languageOf(reply.request);
  try {
    return renderWebPage(await work(), language);
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 400) throw error;
    reply.code(400);
    return renderWebPage(await again(error), language);
  }
}

/** A field of a form. */
export interface FormField {
  readonly name: string;
  readonly label: string;
  readonly type: 'text' | 'email' | 'password';
  /** HTML's `autocomplete` token. */
  readonly autocomplete: string;
  readonly maxLength: number;
  /** Initial value; never a password. */
  readonly value?: string;
  readonly isReadOnly?: boolean;
  /** Help text below the field. */
  readonly hint?: string;
}

/** A checkbox. */
interface FormChoice {
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  readonly isTicked: boolean;
}

/** A form posted to its own page, whose URL may contain a secret, or to another page. */
export interface PageForm {
  readonly postedTo?: string;
  /** Hidden fields. */
  readonly hidden?: Readonly<Record<string, string>>;
  /** Why the previous input was rejected. */
  readonly refusal?: Html;
  readonly introduction: string;
  readonly fields: readonly FormField[];
  /** Checkboxes below the fields, with a legend. */
  readonly choices?: { readonly label: string; readonly items: readonly FormChoice[] };
  /** Label of the submit button. */
  readonly action: string;
}

/** Renders the form. */
export function formHtml({
  postedTo,
  hidden = {},
  refusal,
  introduction,
  fields,
  choices,
  action,
}: PageForm): Html {
  return markup`<p>${introduction}</p>
    ${refusal === undefined ? NOTHING : refusalHtml(refusal)}
    <form method="post"${postedTo === undefined ? NOTHING : markup` action="${postedTo}"`}>
      ${Object.entries(hidden).map(
        ([name, value]) => markup`<input type="hidden" name="${name}" value="${value}" />`,
      )}
      ${fields.map(fieldHtml)} ${choices === undefined || choices.items.length === 0 ? NOTHING : choicesHtml(choices)}
      <button type="submit">${action}</button>
    </form>`;
}

/** Explains why the input was rejected. */
export function refusalHtml(refusal: Html): Html {
  return markup`<p class="no" role="alert">${refusal}</p>`;
}

/** Renders paragraphs, for pages without a form. */
export function paragraphs(...texts: readonly string[]): Html {
  return markup`${texts.map((text) => markup`<p>${text}</p>`)}`;
}

function fieldHtml({ name, label, type, autocomplete, maxLength, ...rest }: FormField): Html {
  const { value = '', isReadOnly = false, hint } = rest;
  return markup`<label for="${name}">${label}</label>
    <input
      id="${name}"
      ${isReadOnly ? NOTHING : markup`name="${name}"`}
      type="${type}"
      dir="auto"
      autocomplete="${autocomplete}"
      maxlength="${maxLength}"
      value="${value}"
      ${isReadOnly ? markup`readonly` : markup`required`}
    />
    ${hint === undefined ? NOTHING : markup`<p class="hint">${hint}</p>`}`;
}

function choicesHtml({ label, items }: NonNullable<PageForm['choices']>): Html {
  return markup`<fieldset>
    <legend>${label}</legend>
    ${items.map(choiceHtml)}
  </fieldset>`;
}

function choiceHtml({ name, label, hint = '', isTicked }: FormChoice): Html {
  return markup`<label class="choice">
    <input type="checkbox" name="${name}" value="1" ${isTicked ? markup`checked` : NOTHING} />
    ${label} <span class="hint">${hint}</span>
  </label>`;
}
