# Mail for a company: mailboxes with a password from a variable, and the records for whoever keeps the zone.
terraform {
  required_version = ">= 1.11"
  required_providers {
    hostwright = { source = "hostwright/hostwright" }
  }
}

variable "info_password" {
  type      = string
  sensitive = true
  ephemeral = true # it is in no plan and no state
}

resource "hostwright_mailspace" "shop" {
  name = "shop.example.com"
  # The mailspace is there already. Unlike an import this takes over only what is written here: mailboxes that are not
  # are left alone.
  adopt = true
  mailboxes = {
    "office@shop.example.com" = {
      display_name = "Office"
      # Change `rotate` to write the password again.
      password = { value = var.info_password, rotate = "2026-01" }
    }
  }
  aliases = {
    "hello@shop.example.com" = { target = "office@shop.example.com" }
  }
}

data "hostwright_dns_records" "mail" {
  mailspace  = hostwright_mailspace.shop.id
  depends_on = [hostwright_mailspace.shop]
}

output "records" {
  description = "What the platform lists. As keys of for_each it is known from the second apply on."
  value = {
    for r in data.hostwright_dns_records.mail.records :
    "${r.type} ${r.name} ${r.purpose}" => r.priority == null ? r.value : "${r.priority} ${r.value}"...
  }
}

output "verification" {
  description = "One TXT record for each domain that is not proven yet."
  value       = data.hostwright_dns_records.mail.verification
}
