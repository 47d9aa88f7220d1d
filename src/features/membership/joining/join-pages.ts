import { formHtml, paragraphs } from '../../../platform/pages/form-fields';
import { PageRefusal } from '../../../platform/pages/page.errors';
import type { PageContent } from '../../../platform/pages/web-page';
import { PASSWORD_RULES } from '../../../platform/secrets/passwords';
import { channelGroupField, JOIN_LIMITS } from './join.api';

/** What a person is shown of their invitation. */
export interface ShownInvitation {
  readonly organizationName: string;
  readonly inviterName: string;
  /** Null where the person may choose the address. */
  readonly email: string | null;
  /** Channels that the person may choose together. */
  readonly channelGroups: readonly ShownChannelGroup[];
}

/** A default channel group. */
export interface ShownChannelGroup {
  readonly id: number;
  readonly name: string;
  readonly description: string;
}

/** What was sent before, and why it was refused. */
interface RefusedInput {
  readonly fullName: string;
  readonly email: string;
  readonly channelGroupIds: ReadonlySet<number>;
  readonly refusal: string;
}

/** The form of somebody who joins. */
export function joinPage(
  { organizationName, inviterName, email, channelGroups }: ShownInvitation,
  sent?: RefusedInput,
): PageContent {
  const body = formHtml({
    refusal: sent?.refusal,
    introduction: `${inviterName} has invited you to ${organizationName}.`,
    fields: [
      {
        name: 'email',
        label: 'E-mail address',
        type: 'email',
        autocomplete: 'email',
        maxLength: JOIN_LIMITS.email,
        value: email ?? sent?.email,
        isReadOnly: email !== null,
        hint: email === null ? 'You sign in with it.' : undefined,
      },
      {
        name: 'full_name',
        label: 'Your name',
        type: 'text',
        autocomplete: 'name',
        maxLength: JOIN_LIMITS.name,
        value: sent?.fullName,
        hint: 'Others see it beside what you write.',
      },
      {
        name: 'password',
        label: 'Password',
        type: 'password',
        autocomplete: 'new-password',
        maxLength: JOIN_LIMITS.password,
        hint: `At least ${PASSWORD_RULES.minLength} characters, and no common word, name or pattern.`,
      },
    ],
    choices: {
      label: 'What are you interested in?',
      items: channelGroups.map(({ id, name, description }) => ({
        name: channelGroupField(id),
        label: name,
        hint: description,
        isTicked: sent?.channelGroupIds.has(id) ?? false,
      })),
    },
    action: 'Join',
  });
  return { title: `Join ${organizationName}`, body };
}

/** What somebody who has joined needs to know. */
export interface Joined {
  readonly organizationName: string;
  readonly email: string;
  /** Where clients reach the server. */
  readonly site: string;
}

/** The end of joining. */
export function joinedPage({ organizationName, email, site }: Joined): PageContent {
  return {
    title: `Welcome to ${organizationName}`,
    body: paragraphs(
      'Your account is ready.',
      `To sign in with an app, give it the address of this server, ${site}, then your e-mail address, ${email}, and your password.`,
    ),
  };
}

/** Nobody was ever given this key. */
export class InvitationUnknown extends PageRefusal {
  constructor() {
    const advice =
      'Make sure that the whole link was opened, or ask the person who invited you for a new one.';
    super({ title: 'There is no such invitation', body: paragraphs(advice) }, 404);
  }
}

/** The invitation was used, revoked, or is too old. */
export class InvitationOver extends PageRefusal {
  constructor() {
    const texts = [
      'It was used or taken back, or it is too old.',
      'If you have an account already, sign in with it. If not, ask the person who invited you for a new invitation.',
    ];
    super({ title: 'This invitation is over', body: paragraphs(...texts) }, 404);
  }
}
