import { type Json, levelChange } from '../level-change';

const BYTES_A_MIB = 1_048_576;

export const change251QuotaOfUploads = levelChange(
  251,
  'Zulip 9.0, feature level 251: `realm_upload_quota_mib` is in MiB; before, in bytes.',
  { state: inBytes },
);

function inBytes(state: Json): void {
  const quota = state['realm_upload_quota_mib'];
  if (typeof quota === 'number') state['realm_upload_quota_mib'] = quota * BYTES_A_MIB;
}
