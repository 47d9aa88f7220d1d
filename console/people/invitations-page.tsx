import { useState } from 'preact/hooks';
import { call, Refusal } from '../connection/call';
import { ROLE } from '../connection/records';
import { nameOf, people } from '../connection/state';
import { Action } from '../parts/action';
import { Button } from '../parts/button';
import { CopyButton } from '../parts/copy-button';
import { SelectField, TextArea } from '../parts/field';
import { FormDialog } from '../parts/form-dialog';
import { Moment } from '../parts/moment';
import { Page } from '../parts/page';
import { Table } from '../parts/table';
import { announce } from '../parts/status';
import { attempt, useFetched } from '../parts/task';
import * as words from '../words';
import { roleChoices, roleName } from './people-page';

interface Invitation {
  readonly id: number;
  readonly invited_by_user_id: number;
  readonly invited_as: number;
  readonly expiry_date: number | null;
  readonly is_multiuse: boolean;
  readonly email?: string;
  readonly link_url?: string;
}

/** Adds the addresses and the problem of each to a refusal. */
function withAddresses(error: unknown): unknown {
  if (!(error instanceof Refusal) || error.code !== 'INVITATION_FAILED') return error;
  const { errors, sent_invitations, daily_limit_reached } = error.details;
  const reasons = words.invitations.reasons as Readonly<Record<string, string>>;
  const list = (errors as readonly (readonly [string, string])[]).map(
    ([address, reason]) => `${address} (${reasons[reason] ?? reason})`,
  );
  if (daily_limit_reached) return new Refusal(words.invitations.dailyLimit);
  const say = sent_invitations ? words.invitations.someInvited : words.invitations.noneInvited;
  return new Refusal(say(list));
}

/** Invites people by email, or creates a link if there are no addresses. */
export async function invite(emails: string, invite_as: number = ROLE.member): Promise<unknown> {
  const common = { invite_as, include_realm_default_subscriptions: true, stream_ids: [] };
  if (emails.trim() === '') return call('POST', 'invites/multiuse', common);
  try {
    return await call('POST', 'invites', { ...common, invitee_emails: emails });
  } catch (error) {
    throw withAddresses(error);
  }
}

function InviteDialog({ onClose }: { readonly onClose: () => void }) {
  const [emails, setEmails] = useState('');
  const [role, setRole] = useState('400');
  return (
    <FormDialog
      title={words.invitations.invite}
      action={words.invitations.invite}
      onSubmit={() => invite(emails, Number(role))}
      onClose={onClose}
    >
      <TextArea
        label={words.invitations.addresses}
        hint={words.invitations.addressesAbout}
        rows={4}
        value={emails}
        onValue={setEmails}
      />
      <SelectField label={words.role} value={role} choices={roleChoices} onValue={setRole} />
    </FormDialog>
  );
}

/** Pending invitations, and links with which several people can join. */
export function InvitationsPage() {
  const [isInviting, setInviting] = useState(false);
  // Reloads when there are new users, who have used their invitations.
  const { value, error, reload } = useFetched(
    () => call<{ invites: Invitation[] }>('GET', 'invites'),
    [people.value.size],
  );
  const isByHand = value?.invites.some((each) => each.email !== undefined && each.link_url !== undefined);
  const revoke = async ({ id, is_multiuse: isLink }: Invitation) => {
    await call('DELETE', `invites/${isLink ? 'multiuse/' : ''}${id}`);
    reload();
  };
  const resend = async ({ id, email = '' }: Invitation) => {
    await call('POST', `invites/${id}/resend`);
    announce(words.invitations.resent(email));
  };
  return (
    <Page
      title={words.people.invitations}
      about={isByHand ? words.invitations.byHand : ''}
      actions={
        <Button kind="main" icon="plus" onClick={() => setInviting(true)}>
          {words.invitations.invite}
        </Button>
      }
    >
      {error && <p class="error">{error}</p>}
      {value && (
        <Table
          label={words.people.invitations}
          rows={value.invites}
          keyOf={({ id, is_multiuse: isLink }) => `${isLink}${id}`}
          empty={words.noneYet.invitations}
          columns={[
            {
              heading: words.invitations.whom,
              cell: (each) => (
                <>
                  {each.email}
                  {each.link_url && (
                    <span class="link">
                      <code>{each.link_url}</code> <CopyButton text={each.link_url} />
                    </span>
                  )}
                </>
              ),
            },
            { heading: words.role, cell: (each) => roleName(each.invited_as) },
            { heading: words.invitations.by, cell: (each) => nameOf(each.invited_by_user_id) },
            {
              heading: words.invitations.until,
              cell: (each) => (each.expiry_date === null ? '–' : <Moment seconds={each.expiry_date} />),
            },
            {
              heading: words.action,
              cell: (each) => (
                <div class="actions">
                  {each.email && !each.link_url && (
                    <Button onClick={() => attempt(resend(each))}>{words.invitations.resend}</Button>
                  )}
                  <Action
                    label={words.invitations.revoke}
                    isDangerous
                    question={words.invitations.revokeAbout}
                    run={() => revoke(each)}
                  />
                </div>
              ),
            },
          ]}
        />
      )}
      {isInviting && (
        <InviteDialog
          onClose={() => {
            setInviting(false);
            reload();
          }}
        />
      )}
    </Page>
  );
}
