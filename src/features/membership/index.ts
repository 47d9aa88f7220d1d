/** What other features use of this one. Nothing else of it is imported from outside. */
export { MembershipModule } from './membership.module';

// Joining, leaving and coming back, for people and bots.
export { AccountActivityService } from './people/account-activity.service';
export { ArrivalService } from './people/arrival.service';
export { AccountAuditService } from './account-audit.service';
export { CreateBotService } from './bot-changes/create-bot.service';
export { CreateUserService, type NewPerson } from './people/create-user.service';
export { NewAccountService } from './people/new-account.service';

// Changing people, and the owners without whom the organization could not go on.
export { CannotDeactivateOnlyOwner, OnlyOwnerStays } from './membership.errors';
export { ChangeRoleService } from './roles/change-role.service';
export { OrganizationOwners } from './roles/organization-owners.service';
export { UpdateAccountService } from './people/update-account.service';
