import { useState } from 'preact/hooks';
import { call } from '../connection/call';
import { nameOf } from '../connection/state';
import { Action } from '../parts/action';
import { Button } from '../parts/button';
import { CopyButton } from '../parts/copy-button';
import { SelectField, TextArea } from '../parts/field';
import { FormDialog } from '../parts/form-dialog';
import { Moment } from '../parts/moment';
import { Page } from '../parts/page';
import { Table } from '../parts/table';
import { useFetched } from '../parts/task';
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

function InviteDialog({ onClose }: { readonly onClose: () => void }) {
  const [emails, setEmails] = useState('');
  const [role, setRole] = useState('400');
  const send = () => {
    const common = { invite_as: Number(role), include_realm_default_subscriptions: true, stream_ids: [] };
    return emails.trim() === ''
      ? call('POST', 'invites/multiuse', common)
      : call('POST', 'invites', { ...common, invitee_emails: emails });
  };
  return (
    <FormDialog
      title={words.invitations.invite}
      action={words.invitations.invite}
      onSubmit={send}
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

/** Who is invited and has not come yet, and links with which several people can join. */
export function InvitationsPage() {
  const [isInviting, setInviting] = useState(false);
  const { value, error, reload } = useFetched(() => call<{ invites: Invitation[] }>('GET', 'invites'), []);
  const revoke = async ({ id, is_multiuse: isLink }: Invitation) => {
    await call('DELETE', `invites/${isLink ? 'multiuse/' : ''}${id}`);
    reload();
  };
  return (
    <Page
      title={words.people.invitations}
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
              cell: (each) =>
                each.link_url ? (
                  <>
                    <code>{each.link_url}</code> <CopyButton text={each.link_url} />
                  </>
                ) : (
                  each.email
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
                <Action
                  label={words.invitations.revoke}
                  isDangerous
                  question={words.invitations.revokeAbout}
                  run={() => revoke(each)}
                />
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
