# A new site whose DNS another provider keeps: the records reach it in the same apply. `terraform_data` stands for the
# zone, so that this runs against the sandbox. The lines for Route 53 are beside it.
terraform {
  required_version = ">= 1.11"
  required_providers {
    hostwright = { source = "hostwright/hostwright" }
    # aws = { source = "hashicorp/aws" }
  }
}

provider "hostwright" {
  guards = { allow_charges = 1 } # the site is bought
  # Without a ledger nothing is bought. In CI: { git = {}, create = true }
  ledger = { file = "hostwright.ledger", create = true }
}

resource "hostwright_site" "launch" {
  name         = "launch"
  display_name = "Launch"
  plan         = "pro"
  order        = { variant = "vanilla", location = "ams", term = "monthly" }
  domains = {
    "launch.acme.example"     = {}
    "www.launch.acme.example" = {}
  }
  primary_domain = "launch.acme.example"
}

# The keys come from the configuration, so they are known in the first plan. The values need not be.
resource "terraform_data" "record" { # resource "aws_route53_record" "launch" {
  for_each = { for name, domain in hostwright_site.launch.domains : name => domain if domain.attach != "dns" }
  input = {
    # zone_id = var.zone_id
    name    = each.key
    type    = "CNAME"
    ttl     = 300
    records = [each.value.cname_target]
  }
}

output "published" {
  value = { for name, record in terraform_data.record : name => record.output.records[0] }
}
