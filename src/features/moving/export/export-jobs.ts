import { defineJob } from '../../../platform/jobs/job';

/** Makes an archive. */
export const exportMaking = defineJob<{ readonly id: number }>('organization-export');

/** Deletes an archive once it was kept long enough. */
export const exportExpiry = defineJob<{ readonly id: number }>('organization-export-expiry');
