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
  # Nobody has proven yet whose it is: until its TXT record is published, it takes no mail.
  domains = {
    "shop.example.org" = {}
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

# The keys are the configuration's, so this is planned before the domain is there.
resource "terraform_data" "proof" { # resource "aws_route53_record" "proof" {
  for_each = hostwright_mailspace.shop.domains
  input = {
    # zone_id = var.zone_id
    name    = each.value.verification.name
    type    = "TXT"
    ttl     = 300
    records = [each.value.verification.value]
  }
}

output "verification" {
  description = "The TXT record of each domain whose owner had to be proven."
  value = merge(
    { (hostwright_mailspace.shop.name) = hostwright_mailspace.shop.verification },
    { for name, domain in hostwright_mailspace.shop.domains : name => domain.verification },
  )
}
