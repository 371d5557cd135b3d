// Advice on HW6911 to HW6930 and HW7000 to HW7999: the Terraform provider.
import type { AdviceTable } from './advice.ts';

export const TERRAFORM_ADVICE: AdviceTable = {
  HW6911: {
    why: 'Two resources of the configuration have the same name, the same id or the same hostname. Each of them would undo what the other does, in every apply.',
    fix: 'Take it out of one of the two. A hostname that moves to another site leaves `domains` of the first one.',
  },
  HW6912: {
    why: 'The resource is tainted, or `-replace` was given: Terraform would delete the live object and make another one. What is in it would be lost, and what was bought would be bought again.',
    fix: 'Run `terraform untaint`, or leave `-replace` out. To begin anew on purpose, destroy the resource first and apply then.',
    example: 'terraform untaint hostwright_site.shop',
  },
  HW6913: {
    why: '`timeouts` says how long an apply waits for a resource, and the text is no duration.',
    fix: 'Write hours, minutes and seconds.',
    example: 'timeouts = { create = "1h30m" }',
  },
  HW6914: {
    why: 'One site loses a hostname, and another one gets it. They are two resources, so the first is done before the second begins, and in between nobody answers for the hostname.',
    fix: 'Write `hand_over` with the hostname in the site that loses it, and `move_from` with the id of that site in the one that gets it: then it moves in one step.',
    example:
      'resource "hostwright_site" "old" {\n  name      = "old"\n  domains   = {}\n  hand_over = ["www.example.com"]\n}\n\nresource "hostwright_site" "new" {\n  name    = "new"\n  domains = { "www.example.com" = { move_from = hostwright_site.old.id } }\n}',
  },
  HW7001: {
    why: 'Terraform shows which attributes change. What a change costs, what it ends, and whether it restarts the site or lowers protection, only the provider knows: it says so in this warning and in the attribute `actions`.',
    fix: 'Read the lines. To forbid charges and deletes altogether, leave `guards` out of the provider block.',
  },
  HW7002: {
    why: 'A read failed or was refused. What could not be read is not the same as what is gone, so the state stays as it was.',
    fix: 'Read the reason in the detail, then run the command again.',
    example: 'terraform plan',
  },
  HW7003: {
    why: 'The attribute was in the configuration and is not any more. Terraform shows that as a removal, but nothing is sent: an attribute that is absent is not managed.',
    fix: 'Nothing has to be done. To remove what is live, write the empty value in place of the attribute, such as `edge_rules = []`.',
  },
  HW7004: {
    why: 'Destroying a resource would delete the live object with everything in it. That is refused unless the configuration has consented before, in a change of its own.',
    fix: 'Set `deletion = "delete"` or `deletion = "abandon"`, apply that, then destroy.',
    example: 'resource "hostwright_site" "shop" {\n  name     = "shop"\n  deletion = "abandon"\n}',
  },
  HW7005: {
    why: 'Apply plans again before it sends anything, and the result was not what had been planned: somebody changed the live side in between. Nothing was sent, and the resource is not tainted.',
    fix: 'Plan again, review the plan and apply it.',
    example: 'terraform plan -out=reviewed.tfplan\nterraform apply reviewed.tfplan',
  },
  HW7006: {
    why: 'The configuration would create an object, and the account has one with the same name or hostname that is in neither the state nor the ledger.',
    fix: 'Import it with an `import` block, or consent with `adopt = true`.',
    example: 'import {\n  to = hostwright_site.shop\n  id = "0b54a7cf-8c5f-4f0e-9c39-2d3f7d3c2c11"\n}',
  },
  HW7007: {
    why: 'A part of the live object has no form in a configuration, for instance because nobody can say in which order its items come. It is in no attribute, so it is not managed.',
    fix: 'Read the reason in the detail. Before you write the attribute, write everything that is live there: a list that is written replaces the live one.',
  },
  HW7008: {
    why: 'Nothing on the account answers to the configuration, and it cannot be made as it is written, for instance because the order data is missing.',
    fix: 'Do what the detail says, or import the object that is meant.',
  },
  HW7009: {
    why: 'A part of what the configuration says cannot be done: the platform does not allow it, or only a person can do it. In a plan it is an error, so that no apply ends as if it were done. It is a warning after something was bought, and where `on_blocked = "warn"` asks for that; then `status` is "incomplete".',
    fix: 'Do what the detail says, or write what is live.',
    example: 'on_blocked = "warn"',
  },
  HW7023: {
    why: 'Some attributes are used once: the data of an order when something is bought, the way to attach when a hostname is attached. Another value would change nothing, and the state would say that it did.',
    fix: 'Write the value from before again, or take the attribute out. To have it otherwise, buy another one.',
  },
  HW7024: {
    why: 'The state has a resource, and the account has it no more. A plan would buy another one.',
    fix: 'Ask the platform to restore it. Or run `terraform state rm`, and take it out of the configuration, or plan anew.',
    example: 'terraform state rm hostwright_site.shop',
  },
  HW7025: {
    why: 'A secret is written nowhere, or in more than one way, so nobody can say which of them is meant.',
    fix: 'Give exactly one of `value`, `env`, `file` and `entry`. `rotate` says when it is written again, and stands beside any of them.',
    example: 'password = { value = var.password, rotate = "1" }',
  },
  HW7026: {
    why: '`terraform query` asks for a list of what is live, and the platform did not give it. That is not the same as an empty one.',
    fix: 'Run it again. If the platform refuses the list, give the token the right to read it.',
    example: 'terraform query',
  },
  HW7010: {
    why: 'What was begun goes on outside: a payment, a transfer, a proof in the DNS. It is in the state, and it is not ordered again.',
    fix: 'Do what the detail says, then run `terraform apply` again. A `postcondition` on `status` turns a job red meanwhile.',
    example:
      'lifecycle {\n  postcondition {\n    condition     = self.status == "ready"\n    error_message = "${self.name}: ${self.waiting_for}"\n  }\n}',
  },
  HW7011: {
    why: 'The object was created, and a later step failed. This is a warning on purpose: after an error Terraform destroys the object and creates, or buys, another one.',
    fix: 'Read the reason in the detail, then apply again. The next plan finishes the object.',
    example: 'terraform apply',
  },
  HW7012: {
    why: 'A request that buys something was sent, its answer was lost, and no read can tell whether it arrived. It is never sent twice without knowing.',
    fix: 'Look at the invoices of the account, then settle it with `hostwright ledger confirm`.',
    example: 'hostwright ledger confirm Site/shop --not-made',
  },
  HW7013: {
    why: 'The provider has to know which account is meant, where the API is, with which token, and where one ledger is. It comes from the provider block or from the environment, and has to be known in the plan.',
    fix: 'Set HOSTWRIGHT_ACCOUNT and HOSTWRIGHT_API_URL, or `account` and `api_url` in the provider block. Correct what else the message names.',
    example: 'provider "hostwright" {\n  account = "acc-acme"\n  api_url = "https://api.example.com"\n}',
  },
  HW7014: {
    why: 'Nothing on the account has the id, the hostname or the name that was given.',
    fix: 'Look the id up with `hostwright get sites` and import by it.',
    example: 'hostwright get sites',
  },
  HW7015: {
    why: 'Some of it can be planned only in the apply: settings that can be read once the object that they are in is there, and values that another resource gives. What deletes or charges in the former waits for the next plan; the latter do what `guards` allow.',
    fix: 'Nothing has to be done. The next plan shows whether anything is left.',
  },
  HW7016: {
    why: '`deletion` is "abandon", so destroying the resource only takes it out of the state.',
    fix: 'Nothing has to be done. What is not wanted any more is deleted or cancelled on the platform.',
  },
  HW7017: {
    why: 'The platform has no call that deletes it, or does not allow it as it is now.',
    fix: 'Do what the detail says, or set `deletion = "abandon"` to forget it only.',
  },
  HW7018: {
    why: 'The request to delete it failed, or its end is still waited for. It stays in the state.',
    fix: 'Read the reason in the detail, then destroy it again.',
  },
  HW7019: {
    why: 'Nothing was made, so nothing is in the state, and nothing was paid for.',
    fix: 'Read the reason in the detail, then apply again.',
  },
  HW7020: {
    why: 'A change was carried out in part. The state says what is live, so the next plan has what is missing.',
    fix: 'Read the reason in the detail, then apply again.',
  },
  HW7021: {
    why: 'What the data source is given does not say what to look at, or says it twice.',
    fix: 'Do what the detail says.',
  },
  HW7022: {
    why: '`deletion` says what a destroy does: `refuse` it, `abandon` the object on the account, or `delete` it. The configuration has another word.',
    fix: 'Write `refuse`, `abandon` or `delete`.',
    example: 'deletion = "refuse"',
  },
  HW7030: {
    why: 'The folder cannot be made or written.',
    fix: 'Name another folder: `--dir` of install, `--out` of pack.',
    example: 'hostwright terraform install --dir plugins',
  },
  HW7031: {
    why: 'The provider is one file that begins with `#!` and runs in Node.js. Windows starts no such file.',
    fix: 'Run Terraform on Linux or macOS, or on Windows inside WSL.',
  },
};
