import { formHtml, paragraphs } from '../../../platform/pages/forms';
import { type PageContent, PageRefusal } from '../../../platform/pages/web-page';
import { PASSWORD_HINT } from '../../../platform/secrets/passwords';
import { channelGroupField, JOIN_LIMITS } from '../membership.api';

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
  readonly refusal: string;
}

/** The join form. */
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
        label: 'Email address',
        type: 'email',
        autocomplete: 'email',
        maxLength: JOIN_LIMITS.email,
        value: email ?? sent?.email,
        isReadOnly: email !== null,
        hint: email === null ? 'You’ll use it to sign in.' : undefined,
      },
      {
        name: 'full_name',
        label: 'Your name',
        type: 'text',
        autocomplete: 'name',
        maxLength: JOIN_LIMITS.name,
        value: sent?.fullName,
        hint: 'Shown next to your messages.',
      },
      {
        name: 'password',
        label: 'Password',
        type: 'password',
        autocomplete: 'new-password',
        maxLength: JOIN_LIMITS.password,
        hint: PASSWORD_HINT,
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

/** What a new user needs to know. */
export interface Joined {
  readonly organizationName: string;
  readonly email: string;
  /** URL under which clients reach the server. */
  readonly site: string;
}

/** Confirms that the account was created, if the user has to sign in. */
export function joinedPage({ organizationName, email, site }: Joined): PageContent {
  return {
    title: `Welcome to ${organizationName}`,
    body: paragraphs(
      'Your account is ready.',
      `To sign in with an app, enter the server URL ${site}, your email address ${email} and your password.`,
    ),
  };
}

/** The key was never issued. */
export class InvitationUnknown extends PageRefusal {
  constructor() {
    const advice =
      'Check that you opened the complete link, or ask the person who invited you for a new one.';
    super({ title: 'Invitation not found', body: paragraphs(advice) }, 404);
  }
}

/** The invitation was used, was revoked, or has expired. */
export class InvitationOver extends PageRefusal {
  constructor() {
    const texts = [
      'It was already used or revoked, or it is too old.',
      'If you already have an account, sign in. Otherwise, ask the person who invited you for a new invitation.',
    ];
    super({ title: 'This invitation has expired', body: paragraphs(...texts) }, 404);
  }
}
