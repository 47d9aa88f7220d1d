/** What other features use of this one. Nothing else of it is imported from outside. */
export { DeactivationService } from './deactivation.service';
export { type FirstSignIn, FirstStartService } from './first-start.service';
export { OrganizationModule } from './organization.module';
export { OwnerZuliprc } from './owner-zuliprc.service';
export { signInNotice } from './sign-in-notice';
export { UpdateNoticeService } from './update-notice.service';
