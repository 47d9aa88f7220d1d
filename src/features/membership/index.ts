/** What other features use of this one. Nothing else of it is imported from outside. */
export { AdministerPersonService, type PersonChange } from './administer-person.service';
export { CreateBotService } from './create-bot.service';
export { CreateUserService, type NewPerson } from './create-user.service';
export { DeactivateAccountService } from './deactivate-account.service';
export { DeleteAccountService } from './delete-account.service';
export { MembershipModule } from './membership.module';
export { NewAccountService } from './new-account.service';
export { ReactivateAccountService } from './reactivate-account.service';
export { UpdateAccountService } from './update-account.service';
