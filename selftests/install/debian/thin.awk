# SPDX-License-Identifier: GPL-2.0
# awk -f thin.awk thin.config CONFIG: CONFIG without the modules that thin.config does not name, and with the options as
# they are there
/^CONFIG_.*=/ { option = substr($0, 1, index($0, "=") - 1) }
/^# CONFIG_.* is not set/ { option = $2 }
!/^(# )?CONFIG_/ { option = "" }
NR == FNR { if (option) wanted[option] = $0; next }
option in wanted { print wanted[option]; next }
/^CONFIG_.*=m$/ { print "# " option " is not set"; next }
{ print }
