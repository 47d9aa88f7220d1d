import type { ApiError } from '../../../platform/errors/api-error';
import { formHtml, paragraphs } from '../../../platform/pages/forms';
import { inEach } from '../../../platform/pages/languages';
import { pageWords, refusalText } from '../../../platform/pages/page-words';
import { type Page, PageRefusal } from '../../../platform/pages/web-page';
import { PASSWORD_RULES } from '../../../platform/secrets/passwords';
import { channelGroupField, JOIN_LIMITS } from '../membership.api';
import * as de from './words.de';
import * as en from './words';

const wordsIn = inEach<typeof en>({ en, de });

/** An invitation as shown to the invitee. */
export interface ShownInvitation {
  readonly organizationName: string;
  readonly inviterName: string;
  /** Null if the invitee chooses the address. */
  readonly email: string | null;
  /** Default channel groups that the invitee may choose. */
  readonly channelGroups: readonly ShownChannelGroup[];
}

/** A default channel group. */
export interface ShownChannelGroup {
  readonly id: number;
  readonly name: string;
  readonly description: string;
}

/** Rejected input and the reason. */
interface RefusedInput {
  readonly fullName: string;
  readonly email: string;
  readonly channelGroupIds: ReadonlySet<number>;
  readonly refusal: ApiError;
}

/** The join form. */
export function joinPage(
  { organizationName, inviterName, email, channelGroups }: ShownInvitation,
  sent?: RefusedInput,
): Page {
  return (language) => {
    const { join } = wordsIn(language);
    const body = formHtml({
      refusal: sent && refusalText(sent.refusal, language),
      introduction: join.about(inviterName, organizationName),
      fields: [
        {
          name: 'email',
          label: join.email,
          type: 'email',
          autocomplete: 'email',
          maxLength: JOIN_LIMITS.email,
          value: email ?? sent?.email,
          isReadOnly: email !== null,
          hint: email === null ? join.emailHint : undefined,
        },
        {
          name: 'full_name',
          label: join.name,
          type: 'text',
          autocomplete: 'name',
          maxLength: JOIN_LIMITS.name,
          value: sent?.fullName,
          hint: join.nameHint,
        },
        {
          name: 'password',
          label: join.password,
          type: 'password',
          autocomplete: 'new-password',
          maxLength: JOIN_LIMITS.password,
          hint: pageWords(language).passwordHint(PASSWORD_RULES.minLength),
        },
      ],
      choices: {
        label: join.interests,
        items: channelGroups.map(({ id, name, description }) => ({
          name: channelGroupField(id),
          label: name,
          hint: description,
          isTicked: sent?.channelGroupIds.has(id) ?? false,
        })),
      },
      action: join.action,
    });
    return { title: join.title(organizationName), body };
  };
}

/** What a new user needs to know. */
export interface JoinResult {
  readonly organizationName: string;
  readonly email: string;
  /** URL under which clients reach the server. */
  readonly site: string;
}

/** Confirms that the account was created, if the user has to sign in. */
export function joinedPage({ organizationName, email, site }: JoinResult): Page {
  return (language) => {
    const { title, about, inApps } = wordsIn(language).joined;
    return { title: title(organizationName), body: paragraphs(about, inApps(site, email)) };
  };
}

/** The key was never issued. */
export class InvitationUnknown extends PageRefusal {
  constructor() {
    super((language) => {
      const { title, about } = wordsIn(language).unknown;
      return { title, body: paragraphs(about) };
    }, 404);
  }
}

/** The invitation was used, was revoked, or has expired. */
export class InvitationOver extends PageRefusal {
  constructor() {
    super((language) => {
      const { title, about, advice } = wordsIn(language).over;
      return { title, body: paragraphs(about, advice) };
    }, 404);
  }
}
